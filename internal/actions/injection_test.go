package actions

import (
	"regexp"
	"strings"
	"testing"

	"github.com/sethvargo/go-githubactions"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// obeyed is a line of the log that the runner would obey; "##[" is its older form.
var obeyed = regexp.MustCompile(`(?m)^\s*::([a-z-]+)|##\[([a-z]+)`)

var ours = map[string]bool{"group": true, "endgroup": true, "notice": true, "warning": true, "error": true}

func (s *stage) noForeignCommand() {
	s.t.Helper()
	for _, m := range obeyed.FindAllStringSubmatch(s.log.String(), -1) {
		if !ours[m[1]] {
			s.t.Errorf("the log issues %q:\n%s", m[0], s.log.String())
		}
	}
}

// What strangers write, in a file of their pull request or in a review, stays text: in the log,
// in the outputs, in the comment.
func TestTextOfOthersStaysText(t *testing.T) {
	t.Parallel()
	const hostile = "::set-output name=active::99 @mara fixes #1 ##[add-path]/tmp \"] %0A::warning::x ```mermaid <!-- <script>alert(1)</script> [a](http://x.example) _GitHubActionsFileCommandDelimeter_"
	s := newStage(t, mayAll, map[string]string{
		config.DefaultStore: "# Lessons\n\n- " + hostile + "\n- " + hostile + "\n",
		config.Path:         "cap: 40\n\"::add-mask::x\": 1\n",
	})
	pull := s.repo.OpenPull(githubtest.PullRequest{Title: hostile, Author: "stranger", Fork: "stranger/api",
		Files: map[string]string{config.DefaultStore: "# Lessons\n\n- " + hostile + "\n- Other: " + hostile + "\n", "::stop-commands::x": "x"}})
	s.mustRun(s.repo.PullEvent("opened", pull, ""), "comment", "always")
	s.noForeignCommand()
	outputs := s.outputs()
	if outputs["active"] != "2" || len(outputs) != 9 || !strings.Contains(outputs["pitfalls"], hostile) {
		t.Errorf("outputs %v", outputs)
	}
	comment := s.repo.Comments(pull)[0].Body
	var html strings.Builder
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert([]byte(comment), &html); err != nil {
		t.Fatal(err)
	}
	for _, acting := range []string{"@mara", " #1", "fixes", "<script>", "<a ", "<pre>"} {
		if strings.Contains(html.String(), acting) {
			t.Errorf("the comment holds %q:\n%s", acting, comment)
		}
	}

	s.mustRun(s.review(s.open("piet", code), "mara", "Always run the linter before pushing, otherwise the pipeline fails late.\n::set-output name=x::y\n##[set-env name=A]b"))
	s.noForeignCommand()
}

func TestSayIssuesNoCommand(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"::error::x", " \t::error::x", "a\n::error::x", "a\r::error::x", "##[error]x", "a ##[error]x", "%0A::error::x", "%s%d"} {
		var log strings.Builder
		workflow{toolkit: githubactions.New(githubactions.WithWriter(&log))}.say("%s", text)
		if got := log.String(); obeyed.MatchString(got) || strings.Count(got, "\n") != 1 || strings.Contains(got, "\r") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}

// Each output has a delimiter of its own, which nobody can guess.
func TestOutputsCannotBeEndedEarly(t *testing.T) {
	t.Parallel()
	s := newStage(t, mayAll, bullets("Ask mara. lessons_AAAA active<<x"))
	seen := map[string]bool{}
	for range 2 {
		s.mustRun(githubtest.Event{Name: "push"}, "mode", "metrics")
		for _, m := range regexp.MustCompile(`(?m)^[a-z-]+<<(\S+)$`).FindAllStringSubmatch(s.read("GITHUB_OUTPUT"), -1) {
			if seen[m[1]] || len(m[1]) < 24 {
				t.Errorf("delimiter %q", m[1])
			}
			seen[m[1]] = true
		}
	}
	if len(seen) != 18 {
		t.Errorf("%d delimiters", len(seen))
	}
}

// GitHub shows ten warnings of a step: the rest is counted.
func TestAnnotationsAreCounted(t *testing.T) {
	t.Parallel()
	lines := make([]string, 7) // 21 pairs
	for i := range lines {
		lines[i] = lessonA + trailerA
	}
	s := newStage(t, mayAll, bullets(lines...))
	s.mustRun(githubtest.Event{Name: "push"}, "mode", "metrics")
	if got := strings.Count(s.log.String(), "::warning "); got != maxAnnotations {
		t.Errorf("%d warnings\n%s", got, s.log.String())
	}
	if !strings.Contains(s.log.String(), "::notice::11 more pairs of bullets say the same") {
		t.Errorf("the rest is not counted:\n%s", s.log.String())
	}
}
