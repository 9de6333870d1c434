package githubtest

import (
	"cmp"
	"path"
)

// Rule is one rule of a ruleset, such as {Type: "pull_request"}.
type Rule struct {
	Type       string
	Parameters map[string]any // those that GitHub's rule of the type has by default, if nil
}

// branchRules are the rules for the branches that a pattern names.
type branchRules struct {
	pattern string // as in path.Match
	rules   []Rule
	classic string // the words of a classic protection, which no API of ours shows
}

// SetRules puts the branches that match a pattern under a ruleset.
func (r *Repository) SetRules(pattern string, rules ...Rule) {
	defer r.lock()()
	r.rules = append(r.rules, branchRules{pattern: pattern, rules: rules})
}

// Protect puts the branches that match a pattern under a classic protection,
// which refuses direct writes with the words, and which rules/branches does not
// show. With words "" they are GitHub's for a required pull request.
func (r *Repository) Protect(pattern, words string) {
	defer r.lock()()
	r.rules = append(r.rules, branchRules{pattern: pattern, classic: cmp.Or(words, "Changes must be made through a pull request.")})
}

// Unprotect lifts all rules and protections.
func (r *Repository) Unprotect() { defer r.lock()(); r.rules = nil }

// ruleWords says why a rule forbids a direct write.
var ruleWords = map[string]string{
	"pull_request":           "Changes must be made through a pull request.",
	"merge_queue":            "Changes must be made through the merge queue",
	"required_status_checks": "Required status check \"build\" is expected.",
	"update":                 "Cannot update this protected ref.",
}

// guarded refuses a direct write to a branch under rules, with a status that
// differs between APIs.
func (r *Repository) guarded(branch string, status int) (reply, bool) {
	for _, set := range r.rules {
		if match, _ := path.Match(set.pattern, branch); !match {
			continue
		}
		if set.classic != "" {
			return failure(status, "Could not update file: "+set.classic), true
		}
		for _, rule := range set.rules {
			if words := ruleWords[rule.Type]; words != "" {
				return failure(status, "Repository rule violations found\n\n"+words+"\n\n"), true
			}
		}
	}
	return reply{}, false
}
