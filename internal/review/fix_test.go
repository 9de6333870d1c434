package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-github/v66/github"
)

// The commits whose checks are read, oldest first: a and b lie before the push, c is it, d after.
func TestEarlier(t *testing.T) {
	commits := func(shas ...string) (out []*github.RepositoryCommit) {
		for _, sha := range shas {
			out = append(out, &github.RepositoryCommit{SHA: &sha})
		}
		return out
	}
	many := strings.Fields(strings.Repeat("x ", maxFailed+3))
	for i := range many {
		many[i] = fmt.Sprint("x", i)
	}
	for name, c := range map[string]struct {
		before []string
		failed []string
		want   string
	}{
		"those that failed":                {[]string{"a", "b"}, []string{"b"}, "b"},
		"in the pull request's order":      {[]string{"a", "b"}, []string{"b", "a"}, "a b"},
		"what is not known: all":           {[]string{"a", "b"}, nil, "a b"},
		"known to be none":                 {[]string{"a", "b"}, []string{}, ""},
		"replaced by a forced push":        {[]string{"a", "b"}, []string{"b", "gone"}, "gone b"},
		"never a head of it: another's":    {[]string{"a", "b"}, []string{"b", "foreign"}, "b"},
		"the push itself, and later":       {[]string{"a"}, []string{"a", "c", "d"}, "a"},
		"the newest, where there are many": {many, nil, strings.Join(many[3:], " ")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(Push{Failed: c.failed, Heads: []string{"gone"}}.earlier(commits(c.before...), commits("c", "d")), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
