package app

import (
	"sync"

	"github.com/agent-corp/agent-lessons/internal/queue"
)

// along remembers what became of intents that another one's commit took along, until their turn
// comes. After a crash it is empty: then the index, or the commits, say that they are done.
type along struct {
	mu       sync.Mutex
	outcomes map[string]queue.Outcome // by delivery
}

func (a *along) put(delivery string, outcome queue.Outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.outcomes == nil {
		a.outcomes = map[string]queue.Outcome{}
	}
	a.outcomes[delivery] = outcome
}

func (a *along) take(delivery string) (queue.Outcome, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	outcome, ok := a.outcomes[delivery]
	delete(a.outcomes, delivery)
	return outcome, ok
}
