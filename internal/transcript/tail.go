package transcript

import (
	"bytes"
	"io"
	"os"
	"unicode/utf8"
)

// Limits of what Tail reads, in bytes.
const (
	maxHead = 256 << 10 // for the first line, which says whose the session is
	maxTail = 16 << 20  // however little of it is text
)

// Tail reads the end of the transcript at path: the newest messages, with together at most n
// bytes of text, of which the oldest may be cut at its beginning. Of the rest of the file only
// the head is read, which names the session. It costs the same for a file of any size.
func Tail(path string, n int) (Session, error) {
	file, err := os.Open(path)
	if err != nil {
		return Session{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Session{}, err
	}
	return TailOf(file, info.Size(), n)
}

// TailOf is Tail for size bytes behind a reader.
func TailOf(r io.ReaderAt, size int64, n int) (Session, error) {
	s, err := Read(io.NewSectionReader(r, 0, min(size, maxHead)))
	if err != nil {
		return s, err
	}
	head := Session{Agent: s.Agent, ID: s.ID, Dir: s.Dir}
	if size > maxHead {
		if s, err = end(r, size, n); err != nil {
			return s, err
		}
		identity := s
		s.Agent, s.ID, s.Dir = head.Agent, head.ID, head.Dir
		s.identify(identity.Agent, identity.ID, identity.Dir)
	}
	s.keep(n)
	return s, nil
}

// end reads back from the end, further each time, until there are n bytes of text.
func end(r io.ReaderAt, size int64, n int) (Session, error) {
	for window := int64(maxHead); ; window *= 4 {
		window = min(window, size, maxTail)
		src := make([]byte, window)
		if read, err := r.ReadAt(src, size-window); err != nil && read < len(src) {
			return Session{}, err
		}
		if window < size { // what is cut by the window is no line
			if newline := bytes.IndexByte(src, '\n'); newline >= 0 {
				src = src[newline+1:]
			}
		}
		s, err := Read(bytes.NewReader(src))
		s.Partial = window < size
		if err != nil || s.textBytes() >= n || window == size || window == maxTail {
			return s, err
		}
	}
}

func (s *Session) textBytes() int {
	total := 0
	for _, m := range s.Messages {
		total += len(m.Text)
	}
	return total
}

// keep drops what is older than the newest n bytes of text.
func (s *Session) keep(n int) {
	for i := len(s.Messages) - 1; i >= 0; i-- {
		m := &s.Messages[i]
		if len(m.Text) <= n {
			n -= len(m.Text)
			continue
		}
		s.Partial = true
		m.Text = m.Text[len(m.Text)-n:]
		for len(m.Text) > 0 && !utf8.RuneStart(m.Text[0]) {
			m.Text = m.Text[1:]
		}
		if m.Text == "" {
			i++
		}
		s.Messages = s.Messages[i:]
		return
	}
}
