package recall

import (
	"path"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/gptme"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Layer is one source of lessons, as it was read. Layers are ordered, and the first wins.
type Layer struct {
	Name    string  // as configured, "lessons: docs/lessons"; "" for this repository's own store
	Place   string  // how lines name where they come from, "docs/lessons"; "" for the own store
	Entries []Entry // a store's bullets in the order of the file; files in the order in which they claim
	Notes   []string
}

// Entry is one lesson of a layer: a bullet, a Markdown file, or a finding.
type Entry struct {
	Bullet lesson.Bullet // of a Markdown lesson only the sentence
	Real   string        // the real path of the file that holds it; "" where there is none
	File   string        // of a Markdown lesson: its path relative to the layer, with slashes
	Guide  *gptme.Lesson // nil for bullets, and for files that cannot be read
	Broken string        // why the file cannot be read; it claims its name all the same
	Tags   []string      // of a finding, which has at least one: its task type and tags
}

// FindingEntry returns the entry of a finding: its text as the sentence, on the day it was recorded.
func FindingEntry(text string, day lesson.Date, tags []string) Entry {
	trailer := &lesson.Trailer{Evidence: lesson.Evidence{Date: day, Verdict: lesson.Finding}, Earned: 1}
	return Entry{Bullet: lesson.Bullet{Sentence: short(text), Trailer: trailer}, Tags: tags}
}

// FileEntry returns the entry of a Markdown file; l is nil where why says what is wrong with it.
func FileEntry(file, realPath string, l *gptme.Lesson, why string) Entry {
	e := Entry{File: file, Real: realPath, Guide: l, Broken: why}
	if l != nil {
		e.Bullet.Sentence = short(l.Summary())
	}
	return e
}

// shortLength is how many characters (runes) of a Markdown lesson's summary are shown.
const shortLength = 200

// short cuts a summary after its last whole sentence that fits, or else after a word.
func short(s string) string {
	runes := []rune(s)
	if len(runes) <= shortLength {
		return s
	}
	head := string(runes[:shortLength])
	if end := strings.LastIndex(head, ". "); end > 0 {
		return head[:end+1]
	}
	if end := strings.LastIndexByte(head, ' '); end > 0 {
		head = head[:end]
	}
	return head + " …"
}

// item is an entry on its way into the block.
type item struct {
	Entry
	layer     int // 0 is the repository's own store
	at        int // place within the layer
	relevance Relevance
	text      *similarity.Text // of what is about to be shown
}

// place names where the item comes from, for people.
func (i item) place(layers []Layer) string {
	switch at := layers[i.layer].Place; {
	case i.layer == 0:
		return "this repository"
	case i.File == "":
		return at
	default:
		return path.Join(at, i.File)
	}
}

// elsewhere reports whether the item was not written for this repository in particular: it is shown where
// it fits the task, and without a task behind everything else.
func (i item) elsewhere() bool { return i.Guide != nil || len(i.Tags) > 0 }

func (i item) always() bool { return i.Guide != nil && i.Guide.AlwaysApply }

// active reports whether an agent may be shown the item.
func (i item) active() bool {
	if i.File != "" {
		return i.Guide != nil && i.Guide.Active()
	}
	return i.Bullet.Active()
}
