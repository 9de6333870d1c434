package queue

import (
	"errors"
	"testing"
)

func testIndex(t *testing.T, open database) {
	const repo, other = 1, 2
	q := open(Config{})
	ctx, x := t.Context(), q.Index()
	check := func(step string, repo int64, wantKnown, wantHas, wantUnsure bool) {
		t.Helper()
		known, err1 := x.Known(ctx, repo)
		has, err2 := x.Has(ctx, repo, "review/1")
		unsure, err3 := x.Unsure(ctx, repo, "review/1")
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		if known != wantKnown || has != wantHas || unsure != wantUnsure {
			t.Errorf("%s: known %v, has %v, unsure %v; want %v, %v, %v", step, known, has, unsure, wantKnown, wantHas, wantUnsure)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check("at first", repo, false, false, false)
	must(x.Rebuilt(ctx, repo, nil))
	check("an empty history", repo, true, false, false)
	must(x.Began(ctx, repo, "review/1"))
	check("begun", repo, true, false, true)
	must(x.Rebuilt(ctx, repo, []string{"review/2"}))
	check("begun, and the commits do not name it", repo, true, false, true)
	must(x.Done(ctx, repo, "review/1"))
	check("done", repo, true, true, false)
	must(x.Began(ctx, repo, "review/1"))
	check("done, and begun again", repo, true, true, false)
	check("another repository", other, false, false, false)
	must(x.Began(ctx, other, "review/1"))
	must(x.Rebuilt(ctx, other, []string{"review/1"}))
	check("begun, and the commits name it", other, true, true, false)

	if _, ok, err := x.Distilled(ctx, repo, "review/1"); ok || err != nil {
		t.Errorf("distilled at first: %v, error %v", ok, err)
	}
	for _, want := range []string{`{"lessons":[]}`, "\x00\xff"} {
		must(x.KeepDistilled(ctx, repo, "review/1", []byte(want)))
		if got, ok, err := x.Distilled(ctx, repo, "review/1"); string(got) != want || !ok || err != nil {
			t.Errorf("distilled: %q, %v, error %v; want %q", got, ok, err, want)
		}
	}
}

func testSpend(t *testing.T, open database) {
	x := open(Config{}).Index()
	for _, c := range []struct {
		owner, month string
		limit        int
		want         bool
	}{
		{"acme", "2026-11", 0, false},
		{"acme", "2026-11", 2, true},
		{"acme", "2026-11", 2, true},
		{"acme", "2026-11", 2, false},
		{"acme", "2026-11", 3, true}, // the refused one was not counted
		{"acme", "2026-12", 2, true},
		{"other", "2026-11", 1, true},
	} {
		got, err := x.Spend(t.Context(), c.owner, c.month, c.limit)
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s in %s within %d: %v, want %v", c.owner, c.month, c.limit, got, c.want)
		}
	}
}
