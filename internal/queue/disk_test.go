package queue

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// A disk that is full or read-only refuses intents, keeps what was done until it can be stored, and
// is used again when it can be: without a restart.
func TestDiskRefuses(t *testing.T) {
	for name, c := range map[string]struct{ refuse, allow string }{
		"full":      {`PRAGMA max_page_count = 1`, `PRAGMA max_page_count = 1000000`}, // no less than there are
		"read-only": {`PRAGMA query_only = 1`, `PRAGMA query_only = 0`},
	} {
		t.Run(name, func(t *testing.T) {
			q := opener(t, emptySQLite(t))(Config{})
			pragma := func(statement string) {
				if _, err := q.db.ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			handled, proceed := make(chan string, 100), make(chan struct{})
			start(t, q, func(_ context.Context, in Intent) (Outcome, error) {
				handled <- in.Delivery
				<-proceed
				return Outcome{Result: "learned"}, nil
			})
			mustPut(t, q, intent("before", 1))
			<-handled
			pragma(c.refuse)
			close(proceed) // its outcome cannot be stored
			var err error
			for i := 0; err == nil && i < 10_000; i++ { // until the last page is full
				_, err = q.Put(t.Context(), intent(fmt.Sprint("filling ", i), 2))
			}
			if err == nil {
				t.Fatal("the disk takes everything")
			}
			if err := q.Ready(t.Context()); err == nil && name != "full" { // where a row that is there already may fit
				t.Error("it says that it is ready")
			}
			if _, err := q.Put(t.Context(), intent("refused", 1)); err == nil {
				t.Error("an intent was taken")
			}
			pragma(c.allow)
			mustPut(t, q, intent("refused", 1))
			awaitState(t, q, "before", Done)
			awaitState(t, q, "refused", Done)
			for len(handled) > 0 {
				if d := <-handled; strings.HasPrefix(d, "before") {
					t.Error("what was handled was handled again")
				}
			}
		})
	}
}
