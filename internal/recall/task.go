package recall

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agent-corp/agent-lessons/internal/gptme"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Task is what the agent is about to do. The zero Task is "nothing in particular".
type Task struct {
	Prompt string
	Files  []string // slash-separated paths of the repository
	Tools  []string // as gptme names them
}

// maxPrompt bounds, in bytes, how much of a prompt is looked at.
const maxPrompt = 64 << 10

// IsZero reports whether the task says nothing.
func (t Task) IsZero() bool {
	return strings.TrimSpace(t.Prompt) == "" && len(t.Files) == 0 && len(t.Tools) == 0
}

// Relevance is what a lesson has to do with a task.
type Relevance struct {
	Files  []string // of the task, that it speaks of
	Words  []string // of a bullet, that the prompt has too
	By     []string // what else matched: "keyword:worktree" of a Markdown lesson, "tag:lease-file" of a finding
	Weight float64  // of words or matches
}

// relevant reports whether the lesson speaks of the task.
func (r Relevance) relevant() bool {
	return len(r.Files) > 0 || r.Weight > 0
}

// matcher holds what of a task is prepared once.
type matcher struct {
	task    Task
	prompt  *similarity.Text
	words   map[string]bool // of the prompt, for findings
	context gptme.Context
}

// leastTag is how long a word must be to match a tag (agent-findings).
const leastTag = 4 // characters

func newMatcher(t Task) *matcher {
	if t.IsZero() {
		return nil
	}
	prompt := t.Prompt[:min(len(t.Prompt), maxPrompt)]
	everything := strings.Join(append([]string{prompt}, t.Files...), "\n")
	m := &matcher{t, similarity.Prepare(prompt), map[string]bool{}, gptme.NewContext(everything, t.Tools...)}
	for _, word := range similarity.Tokens(prompt) {
		m.words[word] = utf8.RuneCountInString(word) >= leastTag
	}
	return m
}

// matchAll fills in the relevance of each item, with all processors, and returns the remarks on each.
func (m *matcher) matchAll(items []item) [][]string {
	remarks := make([][]string, len(items))
	workers := runtime.GOMAXPROCS(0)
	var wait sync.WaitGroup
	for first := range workers {
		wait.Go(func() {
			for n := first; n < len(items); n += workers {
				items[n].relevance, remarks[n] = m.match(items[n].Entry)
			}
		})
	}
	wait.Wait()
	return remarks
}

// match says what an entry has to do with the task, and returns remarks on it. Bullets are matched by
// whole words, Markdown lessons by their front matter and findings by their tags, as their own loaders do it.
func (m *matcher) match(e Entry) (Relevance, []string) {
	if e.Guide != nil {
		if files := e.Guide.Covers(m.task.Files); len(files) > 0 { // its keywords only say the same of the globs
			return Relevance{Files: files}, nil
		}
		found := e.Guide.Match(m.context)
		return Relevance{By: found.By, Weight: found.Score}, found.Unsupported
	}
	if len(e.Tags) > 0 {
		return m.matchTags(e.Tags), nil
	}
	words, weight := similarity.Shared(m.prompt, similarity.Prepare(e.Bullet.Sentence))
	return Relevance{Files: lesson.FilesNamed(e.Bullet.Sentence, m.task.Files), Words: words, Weight: weight}, nil
}

// matchTags counts the hyphen parts of tags that are words of the prompt.
func (m *matcher) matchTags(tags []string) (r Relevance) {
	for _, tag := range tags {
		for part := range strings.SplitSeq(tag, "-") {
			if m.words[part] {
				r.By = append(r.By, "tag:"+tag)
				r.Weight++
			}
		}
	}
	return r
}

// order is the order of the block: what speaks of the task's files, then of its words, then the newest.
func order(a, b item) int {
	return cmp.Or(
		cmp.Compare(len(b.relevance.Files), len(a.relevance.Files)),
		cmp.Compare(b.relevance.Weight, a.relevance.Weight),
		cmp.Compare(a.tier(), b.tier()),
		lesson.NewestFirst(a.Bullet, b.Bullet),
		cmp.Compare(a.layer, b.layer),
		a.position(b),
	)
}

// tier puts a person's own lines first, as the store's window does. What was not written for this
// repository, or has no date in other layers, comes last, so that it cannot crowd out what reviews taught.
func (i item) tier() int {
	switch {
	case i.elsewhere():
		return 2
	case i.Bullet.Trailer != nil:
		return 1
	case i.layer == 0:
		return 0
	default:
		return 2
	}
}

// position orders entries of one layer: a store's last bullet is its newest.
func (i item) position(other item) int {
	if i.File == "" {
		return cmp.Compare(other.at, i.at)
	}
	return cmp.Compare(i.at, other.at)
}

// reason says in one line why the item stands where it does.
func (i item) reason() string {
	r := i.relevance
	var parts []string
	if len(r.Files) > 0 {
		parts = append(parts, "speaks of "+strings.Join(r.Files, ", "))
	}
	if len(r.Words) > 0 {
		parts = append(parts, "shares with the task: "+strings.Join(r.Words, ", "))
	}
	if len(r.By) > 0 {
		parts = append(parts, fmt.Sprintf("matched by %s, score %g", strings.Join(r.By, ", "), r.Weight))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; ")
	case i.Bullet.Trailer != nil:
		return "by its date, " + i.Bullet.Trailer.Date.String()
	case i.always():
		return "always applies"
	case i.layer == 0:
		return "a person's line"
	default:
		return "in the order of its layer, without a date"
	}
}

// cleanFiles returns the paths with slashes, without "./", blanks and repetitions.
func cleanFiles(files []string) []string {
	var out []string
	for _, file := range files {
		file = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(file), `\`, "/"), "./")
		if file != "" && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}
