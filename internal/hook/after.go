package hook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/agent-corp/agent-lessons/internal/distill"
	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/transcript"
)

// tailBytes is how much text of a session's end is distilled (agent-findings' default).
const tailBytes = 60_000

// ErrNothing says that a session taught nothing.
var ErrNothing = errors.New("the session taught nothing")

// Record reads the end of the event's transcript, distils it and adds the finding to the store.
// repository is the name of the one that the session worked in; where it has none, the name of the
// working folder is recorded. Its path would tell strangers about this machine.
func Record(ctx context.Context, e Event, store findings.Store, d distill.Distiller, repository string, now time.Time) (findings.Record, error) {
	if e.Transcript == "" {
		return findings.Record{}, errors.New("the event names no transcript")
	}
	info, err := os.Stat(e.Transcript)
	if err != nil {
		return findings.Record{}, err
	}
	if !info.Mode().IsRegular() { // reading a pipe would never end
		return findings.Record{}, fmt.Errorf("%s: it is not a regular file", e.Transcript)
	}
	session, err := transcript.Tail(e.Transcript, tailBytes)
	if err != nil {
		return findings.Record{}, err
	}
	draft, ok, err := findings.Distil(ctx, session, d)
	if err != nil {
		return findings.Record{}, err
	}
	if !ok {
		return findings.Record{}, ErrNothing
	}
	source := draft.Source
	if e.Session != "" {
		source.SessionID = e.Session
	} else if !sessionID.MatchString(source.SessionID) {
		source.SessionID = ""
	}
	if e.Dir != "" {
		source.CWD = e.Dir
	}
	if source.CWD != "" {
		source.CWD = filepath.Base(source.CWD)
	}
	if repository != "" {
		source.Repository, source.CWD = repository, ""
	}
	return store.Add(ctx, draft, now)
}
