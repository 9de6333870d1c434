package findings

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/gofrs/flock"
)

// ErrJudging says that another process judges the store. What it has judged is shown already.
var ErrJudging = errors.New("another agent-lessons is judging what others wrote into the store, and goes on: what it has not judged yet is not shown")

const (
	// judgeBatch is how many findings are judged between two writings of the recall index, so that
	// who is stopped in the middle has not worked for nothing. It takes about a second.
	judgeBatch = 512
	// unfinished is the stamp of an index that lacks findings: no folder looks like that.
	unfinished = "unfinished"
)

// Refresh judges what was written into the store by others, and changes nothing in it. Where
// another process does so already the error is ErrJudging, at once: ten thousand findings take a
// while, and each prompt asks.
func (s Store) Refresh() error {
	unlock, err := s.tryLockRecall()
	if err != nil {
		return err
	}
	defer unlock()
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	now, err := s.look(root, nil)
	if err != nil {
		return err
	}
	return s.writeRecall(now, len(now.Records))
}

// lockRecall takes the lock of the store's recall index, and waits for it until ctx ends.
func (s Store) lockRecall(ctx context.Context) (unlock func(), err error) {
	return s.recallLock(func(lock *flock.Flock) error {
		_, err := lock.TryLockContext(ctx, lockPoll)
		return err
	})
}

// tryLockRecall does not wait: the error is ErrJudging where somebody judges.
func (s Store) tryLockRecall() (unlock func(), err error) {
	return s.recallLock(func(lock *flock.Flock) error {
		got, err := lock.TryLock()
		if err != nil || !got {
			return errors.Join(err, ErrJudging)
		}
		return nil
	})
}

func (s Store) recallLock(take func(*flock.Flock) error) (unlock func(), err error) {
	root, name, err := s.recallIndex()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	lock, err := openLock(filepath.Join(s.Cache, name+".lock"))
	if err != nil {
		return nil, err
	}
	unlock = func() { _ = lock.Close() }
	if err := take(lock); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// writeRecall judges what was not judged before, newest first and not more than most findings, and
// writes the recall index. It needs the lock.
func (s Store) writeRecall(now state, most int) error {
	root, name, err := s.recallIndex()
	if err != nil {
		return err
	}
	defer root.Close()
	known, err := readJudged(root, name)
	if err != nil {
		return err
	}
	var todo []Record
	queued := map[string]bool{}
	for _, r := range now.Records {
		d := digest(r)
		if _, ok := known[d]; !ok && !queued[d] {
			todo, queued[d] = append(todo, r), true
		}
	}
	for {
		n := min(len(todo), judgeBatch)
		judgeAll(todo[:n], known)
		todo, most = todo[n:], most-n
		stamp := now.stamp
		if len(todo) > 0 {
			stamp = unfinished
		}
		src, err := recallFile(now.Records, known, stamp)
		if err == nil {
			err = writeIfChanged(root, name, src)
		}
		if err != nil || len(todo) == 0 || most <= 0 {
			return err
		}
	}
}

// readJudged returns what this guard said of texts before, by their digests.
func readJudged(root *os.Root, name string) (map[string]Shown, error) {
	known := map[string]Shown{}
	src, err := root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return known, nil
	}
	if header, _, lines := cutRecall(src); header == judge() {
		for line := range bytes.Lines(lines) {
			var s Shown
			if _, _, digest, shown, ok := splitLine(line); ok && json.Unmarshal(shown, &s) == nil {
				known[string(digest)] = s
			}
		}
	}
	return known, err
}

// recallFile returns the recall index of the records that were judged.
func recallFile(records []Record, known map[string]Shown, stamp string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(judge() + "\n" + stamp + "\n")
	for _, r := range records {
		d := digest(r)
		s, ok := known[d]
		if !ok {
			continue
		}
		s.ID, s.TaskType, s.Tags, s.Confidence, s.Timestamp = r.ID, r.TaskType, r.Tags, r.Confidence, r.Timestamp
		src, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		b.WriteString(strings.Join(terms(r), " ") + "\t" + strconv.FormatFloat(r.Confidence, 'g', -1, 64) + "\t" + d + "\t")
		b.Write(src)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// judgeAll adds to known what agents may see of each record. A judgement takes about a
// millisecond a text, so the processors share them.
func judgeAll(records []Record, known map[string]Shown) {
	judged := make([]Shown, len(records))
	var wg sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range work {
				judged[i] = show(records[i])
			}
		})
	}
	for i := range records {
		work <- i
	}
	close(work)
	wg.Wait()
	for i, r := range records {
		known[digest(r)] = judged[i]
	}
}

func show(r Record) Shown {
	g, err := guarded(r)
	if err != nil {
		return Shown{Refused: err.Error()}
	}
	return Shown{Language: g.Language, WhatWorked: g.WhatWorked, WhatFailed: g.WhatFailed, BetterExitCondition: g.BetterExitCondition}
}

// digest is of all that the guard reads of a record.
func digest(r Record) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{r.TaskType, r.Language, r.WhatWorked, r.WhatFailed, r.BetterExitCondition}, r.Tags...), "\x00")))
	return hex.EncodeToString(sum[:12])
}
