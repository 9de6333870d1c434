package findings

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Shown is a finding as agents may see it: its texts have passed the guard.
type Shown struct {
	ID                  string    `json:"id"`
	TaskType            string    `json:"task_type"`
	Language            string    `json:"language,omitempty"`
	WhatWorked          string    `json:"what_worked"`
	WhatFailed          string    `json:"what_failed,omitempty"`
	BetterExitCondition string    `json:"better_exit_condition,omitempty"`
	Tags                []string  `json:"tags"`
	Confidence          float64   `json:"confidence"`
	Timestamp           time.Time `json:"timestamp"`
	Score               int       `json:"score"`             // how often the task names what the finding is found by
	Refused             string    `json:"refused,omitempty"` // why the guard keeps it from agents; then there are no texts
}

// The recall index has a line for each finding, so that a search over ten thousand reads no file
// but this and decodes no line but those that it shows:
//
//	TERMS TAB CONFIDENCE TAB DIGEST TAB {JSON of Shown}
//
// TERMS are the parts of task type and tags, each once a name; DIGEST is of what the guard
// read, so that nothing is judged twice. The first line says who judged, the second what the
// folders looked like.
const recallFormat = "agent-lessons recall 2"

// judge names the guard that judged: another build may judge otherwise.
var judge = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return recallFormat + " " + s.Value
			}
		}
		return recallFormat + " " + info.Main.Version
	}
	return recallFormat
})

// recallIndex opens the folder of recall indexes and names the store's. It is not in the store: what
// a stranger put there, in a repository that was cloned or merged, must not pass for judged.
func (s Store) recallIndex() (*os.Root, string, error) {
	if s.Cache == "" {
		return nil, "", errors.New("there is no cache folder for what agents may be shown")
	}
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return nil, "", err
	}
	if err := os.MkdirAll(s.Cache, 0o700); err != nil {
		return nil, "", err
	}
	root, err := os.OpenRoot(s.Cache)
	sum := sha256.Sum256([]byte(dir))
	return root, "findings-" + hex.EncodeToString(sum[:8]), err
}

// terms returns what a record is found by: the parts of its task type and of each tag, a part
// once a name (agent-findings' before hook).
func terms(r Record) []string {
	var out []string
	for _, name := range append([]string{r.TaskType}, r.Tags...) {
		parts := strings.Split(name, "-")
		slices.Sort(parts)
		out = append(out, slices.Compact(parts)...)
	}
	return out
}

// minWord is the least length of a word that a task is searched by.
const minWord = 4

// words returns the words of a task: runs of a-z and 0-9, in lower case, of at least minWord.
func words(task string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(task), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if len(word) >= minWord {
			out[word] = true
		}
	}
	return out
}

// cutRecall splits a recall index into its header, its stamp and its lines.
func cutRecall(src []byte) (header, stamp string, lines []byte) {
	first, rest, _ := bytes.Cut(src, []byte("\n"))
	second, lines, _ := bytes.Cut(rest, []byte("\n"))
	return string(first), string(second), lines
}

func splitLine(line []byte) (terms, confidence, digest, shown []byte, ok bool) {
	fields := bytes.SplitN(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"), 4)
	if len(fields) != 4 {
		return nil, nil, nil, nil, false
	}
	return fields[0], fields[1], fields[2], fields[3], true
}

// Recall returns the findings that fit a task, best first, at most limit. It scores as
// agent-findings does: a point for each word of the task in each of task type and tags, then
// confidence, then the newest. It reads one file; stale reports that the store has changed since
// that was derived, and that Refresh would find more.
func (s Store) Recall(task string, limit int) (found []Shown, stale bool, err error) {
	lines, stale, err := s.recallLines()
	if err != nil {
		return nil, stale, err
	}
	type hit struct {
		line       []byte
		score      int
		confidence float64
	}
	var hits []hit
	wanted := words(task)
	for line := range bytes.Lines(lines) {
		terms, confidence, _, shown, ok := splitLine(line)
		if !ok {
			continue
		}
		score := 0
		for term := range bytes.FieldsSeq(terms) {
			if wanted[string(term)] {
				score++
			}
		}
		if score == 0 {
			continue
		}
		sureness, err := strconv.ParseFloat(string(confidence), 64)
		if err == nil && sureness >= Floor {
			hits = append(hits, hit{shown, score, sureness})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { // the lines are newest first
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.confidence, a.confidence))
	})
	for _, h := range hits {
		if len(found) == limit {
			break
		}
		var s Shown
		if json.Unmarshal(h.line, &s) == nil && s.Refused == "" {
			s.Score = h.score
			found = append(found, s)
		}
	}
	return found, stale, nil
}

// Shown returns every finding that agents may see, newest first: what a layer of lessons reads.
func (s Store) Shown() (all []Shown, stale bool, err error) {
	lines, stale, err := s.recallLines()
	for line := range bytes.Lines(lines) {
		_, _, _, src, ok := splitLine(line)
		var one Shown
		if ok && json.Unmarshal(src, &one) == nil && one.Refused == "" && one.Confidence >= Floor {
			all = append(all, one)
		}
	}
	return all, stale, err
}

// Refused returns the findings that the guard keeps from agents, with the reason.
func (s Store) Refused() ([]Shown, error) {
	lines, _, err := s.recallLines()
	var out []Shown
	for line := range bytes.Lines(lines) {
		_, _, _, src, ok := splitLine(line)
		var one Shown
		if ok && json.Unmarshal(src, &one) == nil && one.Refused != "" {
			out = append(out, one)
		}
	}
	return out, err
}

// recallLines reads the recall index; stale where there is none, or the store has changed since.
func (s Store) recallLines() (lines []byte, stale bool, err error) {
	root, err := os.OpenRoot(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer root.Close()
	cache, name, err := s.recallIndex()
	if err != nil {
		return nil, false, err
	}
	defer cache.Close()
	src, err := cache.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true, nil
	}
	header, stamp, lines := cutRecall(src)
	if header != judge() {
		return nil, true, err
	}
	return lines, stamp != stampOf(root), err
}
