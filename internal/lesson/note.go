package lesson

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/similarity"
)

// Named returns the bullets whose handle begins with prefix, in the order of the file. They are
// one lesson when their handles are equal.
func (f *File) Named(prefix string) []Bullet {
	var out []Bullet
	for _, b := range f.Bullets() {
		if prefix != "" && strings.HasPrefix(b.Handle(), prefix) {
			out = append(out, b)
		}
	}
	return out
}

var handlePattern = regexp.MustCompile(`^[0-9a-f]{1,8}$`)

// Resolve returns the bullets that a person means by a handle, which may be shortened while it is
// unique: one or more with equal handles. A position in the window of size bullets is refused with
// the handle that it would have meant, since positions change under one's hands.
func (f *File) Resolve(handle string, size int) ([]Bullet, error) {
	window := f.Window(size)
	if n, err := strconv.Atoi(handle); err == nil && 1 <= n && n <= len(window) && strconv.Itoa(n) == handle {
		return nil, fmt.Errorf("%d is a position, which may have moved: by the list as it is now it would have meant the handle %s", n, window[n-1].Handle())
	}
	if !handlePattern.MatchString(handle) {
		return nil, errors.New("a handle is eight of the digits 0-9 and a-f, or the first few of them")
	}
	found := f.Named(handle)
	if len(found) == 0 {
		return nil, fmt.Errorf("no bullet has a handle that begins with %s", handle)
	}
	var handles []string
	for _, b := range found {
		handles = append(handles, b.Handle())
	}
	slices.Sort(handles)
	if handles = slices.Compact(handles); len(handles) > 1 {
		return nil, fmt.Errorf("%s is short for several handles: %s", handle, strings.Join(handles[:min(len(handles), 10)], ", "))
	}
	return found, nil
}

// Keep makes an active bullet that Bullets or Named returned a founder note in place: its evidence
// stays. It reports whether that changed the bullet, and returns it as it is.
func (f *File) Keep(b Bullet) (Bullet, bool) {
	s := f.slotOf(b)
	if s == nil {
		return b, false
	}
	t := *s.Trailer
	t.Verdict = FounderNote
	changed := s.set(t)
	return s.Bullet, changed
}

// Restore makes a retired bullet that Bullets or Named returned active again, with new evidence. It
// reports whether it did, and returns the bullet as it is.
func (f *File) Restore(b Bullet, e Evidence) (Bullet, bool) {
	if b.Trailer == nil || b.Active() {
		return b, false
	}
	for i := range f.slots {
		if s := &f.slots[i]; s.state != removed && s.Trailer == b.Trailer {
			s.set(Trailer{Evidence: e, Earned: 1})
			return s.Bullet, true
		}
	}
	return b, false
}

// declined returns the bullet that a person withdrew and that the candidate says again. It keeps
// automation from teaching it anew; a person's note always can (issue 4). The file is the memory of
// the decision: it ends with the bullet's eviction.
func (f *File) declined(fresh Bullet, text *similarity.Text, rule similarity.Rule, texts []*similarity.Text) (Bullet, bool) {
	if fresh.Trailer.Verdict == FounderNote {
		return Bullet{}, false
	}
	for i := range f.slots {
		s := &f.slots[i]
		if s.state == removed || s.Trailer == nil || s.Trailer.Retirement.Kind != Withdrawn {
			continue
		}
		if texts[i] == nil {
			texts[i] = similarity.Prepare(s.Sentence)
		}
		if compare(rule, fresh, s.Bullet, text, texts[i]).Collapse {
			return s.Bullet, true
		}
	}
	return Bullet{}, false
}
