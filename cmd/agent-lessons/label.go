package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/agent-corp/agent-lessons/internal/calibrate"
	"github.com/agent-corp/agent-lessons/internal/guard"
)

type labelCmd struct {
	Labels string   `default:"labels.jsonl" placeholder:"FILE" help:"Where the labels are appended: ${default} by default."`
	Files  []string `arg:"" name:"file" help:"Lessons files."`
}

// verdictOf are the keys that label a pair.
var verdictOf = map[rune]calibrate.Verdict{
	'd': calibrate.Duplicate, 'n': calibrate.Distinct, 'o': calibrate.Opposite, 's': calibrate.Skip,
}

const keysHelp = "d duplicate · n distinct · o opposite · s skip · u undo · q quit"

// Run shows one uncertain pair after the other and appends what a person says of it. Scores are not
// shown, since they would lead the answers.
func (c *labelCmd) Run(p *program) error {
	_, cfg, err := storeFlag{}.open(p)
	if err != nil {
		return err
	}
	files, err := readLessons(p, c.Files)
	if err != nil {
		return err
	}
	file, done, err := openLabels(c.Labels)
	if err != nil {
		return err
	}
	defer file.Close()
	pairs := calibrate.Unlabelled(calibrate.Uncertain(files, cfg.Rule()), done)
	if len(pairs) == 0 {
		fmt.Fprintf(p.out, "No uncertain pair is left to label; %s holds %d labels.\n", c.Labels, len(done))
		return nil
	}
	keys, err := newKeys(p)
	if err != nil {
		return err
	}
	w := walk{keys: keys, pairs: pairs, labels: file}
	err = w.walk()
	keys.close()
	if err != nil {
		return fmt.Errorf("%s: %w", c.Labels, err)
	}
	fmt.Fprintf(p.out, "\n%d labelled now, %d left: %s\n", w.at, len(pairs)-w.at, c.Labels)
	return nil
}

// walk is a walk through pairs, of which those before at are labelled.
type walk struct {
	keys   *keys
	pairs  []calibrate.Label
	at     int
	labels io.Writer
}

func (w *walk) walk() error {
	for w.at < len(w.pairs) {
		pair := w.pairs[w.at]
		fmt.Fprintf(w.keys, "\n%d of %d    %s\nA  %s\nB  %s\n", w.at+1, len(w.pairs), keysHelp, guard.Visible(pair.A), guard.Visible(pair.B))
		key, err := w.known()
		if errors.Is(err, io.EOF) || key == 'q' {
			return nil
		}
		if err != nil {
			return err
		}
		if key == 'u' {
			if err := w.undo(); err != nil {
				return err
			}
			continue
		}
		pair.Verdict = verdictOf[key]
		if err := w.write(pair); err != nil {
			return err
		}
		w.at++
	}
	return nil
}

// known waits for a key that means something.
func (w *walk) known() (rune, error) {
	for {
		key, err := w.keys.next()
		if err != nil || key == 'q' || key == 'u' || verdictOf[key] != "" {
			return key, err
		}
		fmt.Fprintf(w.keys, "   %s\n", keysHelp)
	}
}

// undo takes the last label of this walk back, and goes back to its pair.
func (w *walk) undo() error {
	if w.at == 0 {
		fmt.Fprintln(w.keys, "   nothing was labelled in this walk yet")
		return nil
	}
	w.at--
	pair := w.pairs[w.at]
	pair.Verdict = calibrate.Undone
	return w.write(pair)
}

// write appends one line at once, so that whatever comes next takes no label away.
func (w *walk) write(l calibrate.Label) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(l); err != nil {
		return err
	}
	if _, err := w.labels.Write(line.Bytes()); err != nil {
		return err
	}
	fmt.Fprintf(w.keys, "   %s\n", l.Verdict)
	return nil
}

// openLabels opens a labels file for appending, and reads what it holds. The rest of a line whose
// writer was stopped is cut off.
func openLabels(name string) (*os.File, []calibrate.Label, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644) //nolint:gosec // labels are no secret
	if err != nil {
		return nil, nil, err
	}
	content, err := io.ReadAll(file)
	var labels []calibrate.Label
	if err == nil {
		labels, err = calibrate.ReadLabels(bytes.NewReader(content))
	}
	if err == nil {
		err = endLine(file, content)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, errors.Join(err, file.Close()))
	}
	return file, labels, nil
}

// endLine makes a file end in a line end.
func endLine(file *os.File, content []byte) error {
	whole := bytes.LastIndexByte(content, '\n') + 1
	switch rest := content[whole:]; {
	case len(rest) == 0:
		return nil
	case json.Valid(rest):
		_, err := file.WriteString("\n")
		return err
	default:
		return file.Truncate(int64(whole))
	}
}
