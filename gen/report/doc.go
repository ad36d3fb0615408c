// SPDX-License-Identifier: GPL-2.0-only

// Package report makes measuring runs readable: it knows what is to be said of
// a run, and says it as text.
//
//	run.json ──► Load ──► result.Run (raw samples)
//	                          │ Summarize: medians, intervals, ratios, p-values,
//	                          ▼            Pareto fronts, what cannot be ranked
//	                       Summary ──► Text        72 columns of ASCII
//	                          │   ├──► Mail        what a cover letter says of times
//	                          │   ├──► BreakEvens  when a batch index pays
//	                          │   └──► Buildings   when what is built for a module pays
//	                          ├──► plot: SVG and PNG
//	                          ├──► claims: what others stated, beside it
//	                          └──► page: one HTML file with all of that, or Markdown
//
// A run is of the kernel's own symbols or, with result.Run.Module, of lookups in a
// module; both have the same medians, intervals and verdicts.
//
// Every figure that any of them prints comes from a Summary, so that the mail,
// the page and the plots cannot disagree. Variants are compared with the stock
// code of their own run and never with another run. All times are of the
// patched C in userspace, which Method says wherever times are printed.
package report
