// SPDX-License-Identifier: GPL-2.0-only

package gomodel

// Designs is for the test that knows of package series, which imports this one.
var Designs = designs
