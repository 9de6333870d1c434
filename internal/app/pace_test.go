package app

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A burst of a thousand reviews over fifty repositories of one installation: every write has its
// turn at last, a second apart, 80 in no minute and 500 in no hour exceeded.
func TestABurstKeepsPace(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	p := &pace{gap: WriteGap}
	var made []time.Time
	for waiting := 1000; waiting > 0; {
		at, ok := p.turn(now, now.Add(maxPause))
		if !ok { // its job is held, and comes again then
			now = at
			continue
		}
		made = append(made, at)
		waiting--
	}
	if hours := made[len(made)-1].Sub(made[0]); hours > 3*time.Hour {
		t.Errorf("it took %s", hours)
	}
	within(t, made, time.Second, 1)
	within(t, made, time.Minute, 80)
	within(t, made, time.Hour, hourly)
}

// within checks that in no window there are more than most.
func within(t interface{ Errorf(string, ...any) }, made []time.Time, window time.Duration, most int) {
	for i := range made {
		if j := i + most; j < len(made) && made[j].Sub(made[i]) < window {
			t.Errorf("%d writes within %s at %s", most+1, window, made[i])
			return
		}
	}
}

func TestAnyPaceIsKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
		p := &pace{gap: WriteGap}
		var made []time.Time
		for range rapid.IntRange(1, 700).Draw(t, "writes") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "idle")) * time.Millisecond)
			if at, ok := p.turn(now, now.Add(maxPause)); ok {
				made = append(made, at)
			}
		}
		if !slices.IsSortedFunc(made, time.Time.Compare) {
			t.Errorf("turns are not in order")
		}
		within(t, made, time.Second, 1)
		within(t, made, time.Hour, hourly)
	})
}

func TestAWriteAloneDoesNotWait(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	p := &pace{gap: WriteGap}
	for range 3 {
		if at, ok := p.turn(now, now); !ok || !at.Equal(now) {
			t.Errorf("it waits until %s", at)
		}
		now = now.Add(WriteGap)
	}
}
