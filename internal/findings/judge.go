package findings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// writeRecall judges what was not judged before, and writes the recall index.
func (s Store) writeRecall(set Set, stamp string) error {
	root, name, err := s.recallIndex()
	if err != nil {
		return err
	}
	defer root.Close()
	old, err := root.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := map[string]Shown{}
	if header, _, lines := cutRecall(old); header == judge() {
		for line := range bytes.Lines(lines) {
			if _, _, digest, shown, ok := splitLine(line); ok {
				var s Shown
				if json.Unmarshal(shown, &s) == nil {
					known[string(digest)] = s
				}
			}
		}
	}
	var b bytes.Buffer
	b.WriteString(judge() + "\n" + stamp + "\n")
	for i, shown := range judgeAll(set.Records, known) {
		src, err := json.Marshal(shown)
		if err != nil {
			return err
		}
		r := set.Records[i]
		b.WriteString(strings.Join(terms(r), " ") + "\t" + strconv.FormatFloat(r.Confidence, 'g', -1, 64) + "\t" + digest(r) + "\t")
		b.Write(src)
		b.WriteByte('\n')
	}
	return writeIfChanged(root, name, b.Bytes())
}

// judgeAll returns each record as agents may see it. A judgement takes about a millisecond a
// text, so known ones are kept and the others share the processors.
func judgeAll(records []Record, known map[string]Shown) []Shown {
	out := make([]Shown, len(records))
	var todo []string // digests
	byDigest := map[string][]int{}
	for i, r := range records {
		d := digest(r)
		if _, ok := known[d]; !ok && byDigest[d] == nil {
			todo = append(todo, d)
		}
		byDigest[d] = append(byDigest[d], i)
	}
	fresh := make([]Shown, len(todo))
	var wg sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range work {
				fresh[i] = show(records[byDigest[todo[i]][0]])
			}
		})
	}
	for i := range todo {
		work <- i
	}
	close(work)
	wg.Wait()
	for i, d := range todo {
		known[d] = fresh[i]
	}
	for d, places := range byDigest {
		for _, i := range places {
			r, s := records[i], known[d]
			s.ID, s.TaskType, s.Language, s.Tags, s.Confidence, s.Timestamp = r.ID, r.TaskType, kebab(r.Language), r.Tags, r.Confidence, r.Timestamp
			out[i] = s
		}
	}
	return out
}

func show(r Record) Shown {
	g, err := guarded(r)
	if err != nil {
		return Shown{Refused: err.Error()}
	}
	return Shown{WhatWorked: g.WhatWorked, WhatFailed: g.WhatFailed, BetterExitCondition: g.BetterExitCondition}
}

func digest(r Record) string {
	sum := sha256.Sum256([]byte(r.WhatWorked + "\x00" + r.WhatFailed + "\x00" + r.BetterExitCondition))
	return hex.EncodeToString(sum[:12])
}
