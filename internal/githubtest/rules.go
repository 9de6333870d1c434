package githubtest

import (
	"cmp"
	"path"
	"slices"
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
		if set.classic != "" && set.covers(branch) {
			return failure(status, "Could not update file: "+set.classic), true
		}
	}
	for _, rule := range r.rulesFor(branch) {
		if words := ruleWords[rule.Type]; words != "" {
			return failure(status, "Repository rule violations found\n\n"+words+"\n\n"), true
		}
	}
	return reply{}, false
}

func (b branchRules) covers(branch string) bool {
	match, _ := path.Match(b.pattern, branch)
	return match
}

// forbids says whether a ruleset has a rule of a type for a branch.
func (r *Repository) forbids(branch, ruleType string) bool {
	return slices.ContainsFunc(r.rulesFor(branch), func(rule Rule) bool { return rule.Type == ruleType })
}

func (r *Repository) rulesFor(branch string) []Rule {
	var all []Rule
	for _, set := range r.rules {
		if set.covers(branch) {
			all = append(all, set.rules...)
		}
	}
	return all
}

// listRules shows rulesets only, also for branches that do not exist yet.
func listRules(c *call) reply {
	return list(c, c.repo.rulesFor(c.PathValue("branch")), func(rule Rule) object {
		o := object{
			"type": rule.Type, "ruleset_id": 1,
			"ruleset_source_type": "Repository", "ruleset_source": c.repo.fullName(),
		}
		if rule.Parameters == nil {
			rule.Parameters = ruleParameters[rule.Type]
		}
		if rule.Parameters != nil {
			o["parameters"] = rule.Parameters
		}
		return o
	})
}

// ruleParameters are those of a rule that was just switched on.
var ruleParameters = map[string]map[string]any{
	"pull_request": {
		"required_approving_review_count": 1, "dismiss_stale_reviews_on_push": false,
		"require_code_owner_review": false, "require_last_push_approval": false,
		"required_review_thread_resolution": false,
	},
	"required_status_checks": {
		"required_status_checks":               []object{{"context": "build"}},
		"strict_required_status_checks_policy": false,
	},
	"merge_queue": {
		"check_response_timeout_minutes": 60, "grouping_strategy": "ALLGREEN",
		"max_entries_to_build": 5, "max_entries_to_merge": 5, "merge_method": "MERGE",
		"min_entries_to_merge": 1, "min_entries_to_merge_wait_minutes": 5,
	},
}
