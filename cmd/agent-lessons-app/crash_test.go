package main

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"
)

// Issues 2 and 8: kill -9 at random moments of a burst of reviews, merges over them, commands and
// sweeps, and everything that was acknowledged ends exactly once.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	kills := effort(5, 100, 500)
	w := newWorld(t)
	w.env = append(w.env, "AGENT_LESSONS_SWEEP_EVERY=1s")
	b := newBurst(w, 1+kills/4)
	random := rand.New(rand.NewPCG(1, 2))
	b.begin(2, learn, override, command)
	for i := range kills {
		if i%10 == 0 {
			b.aged(i)
		}
		p := w.start()
		time.Sleep(time.Duration(random.IntN(150)) * time.Millisecond)
		p.kill()
	}
	b.end()
	p := w.start()
	b.settle(t)
	_ = p.Process.Signal(syscall.SIGTERM)
	if err := <-p.done; err != nil {
		t.Errorf("the last run ended with %v\n%s", err, p.out)
	}
	t.Logf("%d kills", kills)
}

// kill is kill -9.
func (p *process) kill() {
	_ = p.Process.Signal(syscall.SIGKILL) // it may have ended before
	p.done <- <-p.done                    // whoever asks again hears it, too
}
