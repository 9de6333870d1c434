package queue

import (
	"testing"
	"time"
)

// A session is known until it expires or is deleted.
func TestSessions(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	q := opener(t, emptySQLite(t))(Config{Now: func() time.Time { return now }})
	s, ctx := q.Sessions(), t.Context()
	for id, age := range map[string]time.Duration{"short": time.Minute, "long": time.Hour} {
		if err := s.Put(ctx, id, []byte(id), now.Add(age)); err != nil {
			t.Fatal(err)
		}
	}
	known := func(id string) bool {
		content, ok, err := s.Get(ctx, id)
		if err != nil || (ok && string(content) != id) {
			t.Fatal(string(content), err)
		}
		return ok
	}
	if !known("short") || !known("long") || known("other") {
		t.Error("not as they were put")
	}
	now = now.Add(time.Minute)
	if known("short") || !known("long") {
		t.Error("what expired is known")
	}
	if err := s.Delete(ctx, "long"); err != nil || known("long") {
		t.Error("what was deleted is known", err)
	}
}
