package layers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/agent-corp/agent-lessons/internal/guard"
)

// maxJudgements bounds the file; beyond it is begun anew.
const maxJudgements = 5_000

// Judgements are the guard's answers on foreign sentences, remembered in a file of the user's cache: to make
// the guard ready takes longer than all the rest of showing a block. An answer depends on nothing but the
// sentence and the program.
type Judgements struct {
	file    string
	program string
	known   map[string]guard.Result
	changed bool
}

// judgementsFile is the file's form.
type judgementsFile struct {
	Program string                  `json:"program"`
	Known   map[string]guard.Result `json:"known"`
}

// OpenJudgements reads what is remembered in a file, which need not exist. program names the program's
// build: answers of another one are forgotten. An empty file name remembers nothing.
func OpenJudgements(file, program string) *Judgements {
	v := &Judgements{file: file, program: program, known: map[string]guard.Result{}}
	if file == "" || program == "" {
		return v
	}
	src, err := readSmall(file, 0, 8<<20)
	if err != nil {
		return v
	}
	var kept judgementsFile
	if json.Unmarshal(src, &kept) == nil && kept.Program == program && kept.Known != nil {
		v.known = kept.Known
	}
	return v
}

// Judge is guard.Check, or guard.CheckNote for a person's note.
func (v *Judgements) Judge(sentence string, note bool) guard.Result {
	sum := sha256.Sum256([]byte(strconv.FormatBool(note) + sentence))
	key := hex.EncodeToString(sum[:16])
	if r, ok := v.known[key]; ok {
		return r
	}
	check := guard.Check
	if note {
		check = guard.CheckNote
	}
	r := check(sentence)
	v.known[key], v.changed = r, true
	return r
}

// Save writes what is new. Failing to is no mistake: the next run judges again.
func (v *Judgements) Save() error {
	if !v.changed || v.file == "" || v.program == "" {
		return nil
	}
	if len(v.known) > maxJudgements {
		return keep(v.file, nil)
	}
	src, err := json.Marshal(judgementsFile{v.program, v.known})
	if err != nil {
		return err
	}
	return keep(v.file, src)
}
