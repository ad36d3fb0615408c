// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import "errors"

// Semantics says which answers of a kernel a mechanism changes. Nobody should
// get such patches without having been told, nor mail them without telling.
type Semantics struct {
	Reason  string         `toml:"reason"`  // one line for the refusal: what it does to change answers
	Instead string         `toml:"instead"` // the series to the same end that changes none
	Changes []AnswerChange `toml:"change"`
}

// AnswerChange is one kind of answer that comes out differently.
type AnswerChange struct {
	Answer  string `toml:"answer"`  // which one, and how it changes
	Example string `toml:"example"` // what it was and what it is
}

func (s *Semantics) validate() error {
	if s == nil {
		return nil
	}
	if s.Reason == "" || s.Instead == "" || len(s.Changes) == 0 {
		return errors.New("[semantics] needs a reason, the series to make instead, and its changes")
	}
	for _, c := range s.Changes {
		if c.Answer == "" || c.Example == "" {
			return errors.New("[[semantics.change]] needs an answer and an example")
		}
	}
	return nil
}
