package lesson

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// correction begins a bullet that says what it corrects: a handle, or the other's words in quotes
// (issue 6).
var correction = regexp.MustCompile("(?i)^correction to [\\s:]*(?:[\"“`'(\\[]*([0-9a-f]{6,8})\\b|[\"“«‘'`](.{12,}?)[\"”»’'`])")

// IsCorrection reports whether the bullet says that it corrects another.
func (b Bullet) IsCorrection() bool {
	const begins = "correction to "
	return len(b.Sentence) > len(begins) && strings.EqualFold(b.Sentence[:len(begins)], begins)
}

// Corrects reports whether a says that it corrects b, by b's handle or by quoting how b begins.
// Corrections that share b's words are found by comparing the two.
func Corrects(a, b Bullet) bool {
	handle, quoted := a.names()
	return handle != "" && strings.HasPrefix(b.Handle(), handle) || quoted != "" && strings.HasPrefix(b.folded(), quoted)
}

// names returns the beginning of the handle, or of the folded sentence, that a correction names.
func (b Bullet) names() (handle, quoted string) {
	m := correction.FindStringSubmatch(b.Sentence)
	if m == nil {
		return "", ""
	}
	return strings.ToLower(m[1]), strings.ToLower(strings.TrimRight(normal(m[2]), " .…"))
}

func (b Bullet) folded() string { return strings.ToLower(normal(b.Sentence)) }

// Corrections yields the place of each bullet that says it corrects another, with that of the other one.
// It takes no time worth naming, however many corrections there are.
func Corrections(bullets []Bullet) iter.Seq2[int, int] {
	return func(yield func(by, of int) bool) {
		handles := sync.OnceValue(func() index { return indexOf(bullets, Bullet.Handle) })
		sentences := sync.OnceValue(func() index { return indexOf(bullets, Bullet.folded) })
		for by, b := range bullets {
			handle, quoted := b.names()
			var named []entry
			switch {
			case handle != "":
				named = handles().beginning(handle)
			case quoted != "":
				named = sentences().beginning(quoted)
			}
			for _, e := range named {
				if e.at != by && !yield(by, e.at) {
					return
				}
			}
		}
	}
}

// index is a sorted list of keys.
type index []entry

type entry struct {
	key string
	at  int // the place of its bullet
}

func indexOf(bullets []Bullet, key func(Bullet) string) index {
	out := make(index, len(bullets))
	for i, b := range bullets {
		out[i] = entry{key(b), i}
	}
	slices.SortFunc(out, func(a, b entry) int { return cmp.Or(strings.Compare(a.key, b.key), cmp.Compare(a.at, b.at)) })
	return out
}

// beginning returns the entries whose keys begin so.
func (x index) beginning(prefix string) []entry {
	from, _ := slices.BinarySearchFunc(x, prefix, func(e entry, prefix string) int { return strings.Compare(e.key, prefix) })
	to, _ := slices.BinarySearchFunc(x[from:], prefix, func(e entry, prefix string) int {
		if strings.HasPrefix(e.key, prefix) {
			return -1
		}
		return 1
	})
	return x[from : from+to]
}
