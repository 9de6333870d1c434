package lesson

import (
	"bytes"
	"strings"
)

// Preamble begins a new lessons file (format.md).
const Preamble = "# Lessons\n\nWhat code review taught in this repository. One bullet, one lesson. Edit freely.\n\n"

// File is a lessons file: the bytes it was parsed from, and the working list of its bullets.
// Bytes outside the bullets that a write changes are never changed.
type File struct {
	src   []byte
	slots []slot // in the order of the file; appended bullets last
}

// slot is a bullet's place in the file.
type slot struct {
	Bullet
	start, stop int // the bytes of its paragraph in src, line end included; none for an appended one
	end         int // where its list item ends in src
	state       state
}

type state int

const (
	kept state = iota
	changed
	removed
	added
)

// Bullets returns the bullets in the order of the file.
func (f *File) Bullets() []Bullet {
	out := make([]Bullet, 0, len(f.slots))
	for _, s := range f.slots {
		if s.state != removed {
			out = append(out, s.Bullet)
		}
	}
	return out
}

// Empty reports whether the file holds nothing but white space, as a missing one does.
func (f *File) Empty() bool { return len(bytes.TrimSpace(f.src)) == 0 }

// Counts returns the number of active bullets and of all bullets, those with a trailer only:
// that is what the cap bounds (design decision 10).
func (f *File) Counts() (active, total int) {
	for _, b := range f.Bullets() {
		if b.Trailer == nil {
			continue
		}
		total++
		if b.Active() {
			active++
		}
	}
	return active, total
}

// Bytes returns the file with the changes made to it. Without a change these are the bytes
// that it was parsed from.
func (f *File) Bytes() []byte {
	out, rest := f.edited()
	if len(rest) == 0 {
		return out
	}
	eol := lineEnd(f.src)
	block := strings.Join(rest, eol) + eol
	if len(bytes.TrimSpace(out)) == 0 {
		return []byte(strings.ReplaceAll(Preamble, "\n", eol) + block)
	}
	return f.insert(out, block, eol)
}

// edited applies changes and removals, and returns the lines that are yet to be inserted.
func (f *File) edited() (out []byte, lines []string) {
	at := 0
	for _, s := range f.slots {
		switch s.state {
		case added:
			lines = append(lines, s.String())
			continue
		case kept:
			continue
		}
		out = append(out, f.src[at:s.start]...)
		if s.state == changed {
			out = append(out, s.String()...)
			out = append(out, trailingEnd(f.src[s.start:s.stop])...)
		}
		at = s.stop
	}
	return append(out, f.src[at:]...), lines
}

// insert puts block after the last bullet with a trailer, or else the last bullet, or else at
// the end. Where it would not be read back from there (behind an open code fence, say), it goes
// to the top.
func (f *File) insert(src []byte, block, eol string) []byte {
	after := Parse(src)
	want := len(after.slots) + strings.Count(block, eol)
	for _, at := range []int{after.insertion(), len(src)} {
		lead := ""
		if at > 0 && src[at-1] != '\n' {
			lead = eol
		}
		if !after.followsBullet(at) && !blankBefore(src[:at]) {
			lead += eol
		}
		if out := splice(src, at, lead+block); len(Parse(out).slots) == want {
			return out
		}
	}
	// The comment keeps an indented first line of the file from becoming part of the new bullet.
	return splice(src, bomLen(src), block+eol+"<!-- -->"+eol+eol)
}

// insertion returns the offset behind the item that new bullets follow.
func (f *File) insertion() int {
	at := len(f.src)
	for i := len(f.slots) - 1; i >= 0; i-- {
		if f.slots[i].Trailer != nil {
			return f.slots[i].end
		}
	}
	if n := len(f.slots); n > 0 {
		at = f.slots[n-1].end
	}
	return at
}

func (f *File) followsBullet(at int) bool {
	for _, s := range f.slots {
		if s.end == at {
			return true
		}
	}
	return false
}

func splice(src []byte, at int, text string) []byte {
	out := make([]byte, 0, len(src)+len(text))
	out = append(out, src[:at]...)
	out = append(out, text...)
	return append(out, src[at:]...)
}

// blankBefore reports whether text put at the end of src would follow a blank line or nothing.
func blankBefore(src []byte) bool {
	line := bytes.TrimSuffix(src[bomLen(src):], []byte("\n"))
	if i := bytes.LastIndexByte(line, '\n'); i >= 0 {
		line = line[i+1:]
	}
	return len(bytes.TrimSpace(line)) == 0
}

// lineEnd returns the line end of the file's first line, "\n" for a file without any.
func lineEnd(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// trailingEnd returns the line end that closes a paragraph, "" at the end of a file without one.
func trailingEnd(paragraph []byte) []byte {
	switch {
	case bytes.HasSuffix(paragraph, []byte("\r\n")):
		return []byte("\r\n")
	case bytes.HasSuffix(paragraph, []byte("\n")):
		return []byte("\n")
	}
	return nil
}
