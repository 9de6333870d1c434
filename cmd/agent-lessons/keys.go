package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"
)

// keys reads a person's answers: single keys from a terminal, else the first character of each line.
// What is written to it appears on the output.
type keys struct {
	ctx     context.Context
	input   chan string // what was typed; closed at its end
	out     io.Writer
	typed   string // keys that were typed ahead
	restore func()
}

// newKeys begins to read. A terminal stays in raw mode until close.
func newKeys(p *program) (*keys, error) {
	ctx, stop := signal.NotifyContext(p.ctx, syscall.SIGTERM, syscall.SIGHUP)
	k := &keys{ctx: ctx, input: make(chan string), out: p.out, restore: stop}
	if !p.inIsTerminal {
		go k.lines(p.in)
		return k, nil
	}
	fd := int(os.Stdin.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		stop()
		return nil, err
	}
	k.out = crlf{p.out}
	k.restore = func() {
		_ = term.Restore(fd, before)
		stop()
	}
	go k.raw(p.in)
	return k, nil
}

// close gives the terminal back.
func (k *keys) close() { k.restore() }

// Write shows text.
func (k *keys) Write(text []byte) (int, error) { return k.out.Write(text) }

// next waits for a key. io.EOF is the end of the input, or that the person wants to stop.
func (k *keys) next() (rune, error) {
	for k.typed == "" {
		select {
		case <-k.ctx.Done():
			return 0, io.EOF
		case text, more := <-k.input:
			if !more {
				return 0, io.EOF
			}
			k.typed = text
		}
	}
	key, size := utf8.DecodeRuneInString(k.typed)
	k.typed = k.typed[size:]
	if key == interrupt || key == endOfInput {
		return 0, io.EOF
	}
	return key, nil
}

// Control characters of a terminal in raw mode.
const (
	interrupt  = 'C' - '@'
	endOfInput = 'D' - '@'
)

// escapes are what arrow and function keys send: they mean nothing here, though letters end them.
var escapes = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|)`)

// lines reads lines; an empty one is a key that means nothing.
func (k *keys) lines(in io.Reader) {
	defer close(k.input)
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" || err == nil {
			key, _ := utf8.DecodeRuneInString(line)
			if !k.send(string(key)) {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// raw reads keys.
func (k *keys) raw(in io.Reader) {
	defer close(k.input)
	buffer := make([]byte, 64)
	for {
		n, err := in.Read(buffer)
		if text := escapes.ReplaceAllString(string(buffer[:n]), ""); text != "" && !k.send(text) {
			return
		}
		if err != nil && !errors.Is(err, syscall.EINTR) {
			return
		}
	}
}

func (k *keys) send(text string) bool {
	select {
	case k.input <- text:
		return true
	case <-k.ctx.Done():
		return false
	}
}

// crlf writes line ends as a terminal in raw mode needs them.
type crlf struct{ io.Writer }

func (w crlf) Write(text []byte) (int, error) {
	_, err := io.WriteString(w.Writer, strings.ReplaceAll(string(text), "\n", "\r\n"))
	return len(text), err
}
