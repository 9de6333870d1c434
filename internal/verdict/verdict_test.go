package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// at is minute n of the story; the merge is at minute 100.
func at(n int) time.Time { return time.Date(2026, 11, 20, 12, n, 0, 0, time.UTC) }

var merged = Pull{MergedAt: at(100), Head: "head"}

func review(id int64, who, state string, minute int) Review {
	return Review{ID: id, Reviewer: who, State: state, Submitted: at(minute), Commit: "head", MayTeach: true}
}

// dismissed is a review that was dismissed at a minute, when its state was was.
func dismissed(id int64, who, was string, minute int, by string, on int, commit string) Review {
	r := review(id, who, Dismissed, minute)
	r.Commit, r.Dismissal = commit, &Dismissal{By: by, At: at(on), Was: was}
	return r
}

func untaught(r Review) Review { r.MayTeach = false; return r }

// Design decision 6, and every transition of GitHub's that is known.
func TestRule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reviews []Review
		over    []int64
		why     []string // begins each ruling's reason, in order
	}{
		"nobody reviewed":      {},
		"nobody asked changes": {reviews: []Review{review(1, "mara", Approved, 1), review(2, "noor", "COMMENTED", 2)}},
		"a request stands": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1)},
			over:    []int64{1}, why: []string{"the changes that @mara requested were still asked for"},
		},
		"states in lower case, as webhooks write them": {
			reviews: []Review{review(1, "mara", "changes_requested", 1)},
			over:    []int64{1}, why: []string{"the changes"},
		},
		"a comment after a request clears nothing": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), review(2, "mara", "COMMENTED", 2), review(3, "mara", "PENDING", 3)},
			over:    []int64{1}, why: []string{"the changes"},
		},
		"the reviewer approved": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), review(2, "mara", Approved, 2)},
			why:     []string{"@mara approved before the merge"},
		},
		"logins ignore case": {
			reviews: []Review{review(1, "Mara", ChangesRequested, 1), review(2, "mara", Approved, 2)},
			why:     []string{"@mara approved"},
		},
		"the approval of another clears nothing": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), review(2, "noor", Approved, 2)},
			over:    []int64{1}, why: []string{"the changes"},
		},
		"a request after an approval": {
			reviews: []Review{review(1, "mara", Approved, 1), review(2, "mara", ChangesRequested, 2)},
			over:    []int64{2}, why: []string{"the changes"},
		},
		"the last of two requests stands": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), review(2, "mara", ChangesRequested, 2)},
			over:    []int64{2}, why: []string{"the changes"},
		},
		"reviews in any order": {
			reviews: []Review{review(2, "mara", Approved, 2), review(1, "mara", ChangesRequested, 1)},
			why:     []string{"@mara approved"},
		},
		"each reviewer has a word": {
			reviews: []Review{review(1, "noor", ChangesRequested, 1), review(2, "mara", ChangesRequested, 2)},
			over:    []int64{1, 2}, why: []string{"the changes that @noor", "the changes that @mara"},
		},
		"dismissed by the reviewer": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "mara", 2, "head")},
			why:     []string{"@mara took the review back"},
		},
		"dismissed by another, and nothing pushed": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "noor", 2, "head")},
			over:    []int64{1}, why: []string{"the review by @mara was dismissed by @noor, and no commit followed it"},
		},
		"dismissed by an account that is gone": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "", 2, "head")},
			over:    []int64{1}, why: []string{"the review by @mara was dismissed by an account that is gone"},
		},
		"dismissed by another after commits": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "noor", 2, "older")},
			why:     []string{"the review by @mara was dismissed after further commits"},
		},
		"dismissed, and the reviewed commit is gone": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "noor", 2, "")},
			why:     []string{"the review by @mara was dismissed after further commits"},
		},
		"dismissed, and the timeline does not say by whom": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), review(2, "mara", Dismissed, 2)},
			why:     []string{"the review by @mara was dismissed, nobody knows by whom"},
		},
		"a dismissal revives no earlier approval": {
			reviews: []Review{review(1, "mara", Approved, 1), dismissed(2, "mara", "changes_requested", 2, "mara", 3, "head")},
			why:     []string{"@mara took the review back"},
		},
		"an approval dismissed by a push revives no request": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), dismissed(2, "mara", "approved", 2, "piet", 3, "older")},
			why:     []string{"the approval by @mara was dismissed"},
		},
		"an approval after a dismissal": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "noor", 2, "head"), review(2, "mara", Approved, 3)},
			why:     []string{"@mara approved"},
		},
		"a request after a dismissal": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "noor", 2, "older"), review(2, "mara", ChangesRequested, 3)},
			over:    []int64{2}, why: []string{"the changes"},
		},
		"dismissed after the merge": {
			reviews: []Review{dismissed(1, "mara", "changes_requested", 1, "mara", 120, "head")},
			over:    []int64{1}, why: []string{"the changes"},
		},
		"a review after the merge": {reviews: []Review{review(1, "mara", ChangesRequested, 101)}},
		"an approval after the merge comes too late": {
			reviews: []Review{review(1, "mara", ChangesRequested, 1), review(2, "mara", Approved, 101)},
			over:    []int64{1}, why: []string{"the changes"},
		},
		"in the second of the merge": {
			reviews: []Review{review(1, "mara", ChangesRequested, 100)},
			over:    []int64{1}, why: []string{"the changes"},
		},
		"an account that is gone": {reviews: []Review{review(1, "", ChangesRequested, 1)}},
		"two accounts that are gone are not one": {
			reviews: []Review{review(1, "", ChangesRequested, 1), review(2, "", Approved, 2), review(3, "mara", ChangesRequested, 3)},
			over:    []int64{3}, why: []string{"the changes"},
		},
		"a reviewer who may not teach": {
			reviews: []Review{untaught(review(1, "sam", ChangesRequested, 1)), untaught(dismissed(2, "helper[bot]", "changes_requested", 2, "noor", 3, "head"))},
			why:     []string{"the review by @sam stood at the merge, but may not teach", "the review by @helper[bot] stood at the merge, but may not teach"},
		},
		"a reviewer who lost the right takes back an own request": {
			reviews: []Review{review(1, "sam", ChangesRequested, 1), untaught(review(2, "sam", Approved, 2))},
			why:     []string{"@sam approved"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rulings := Rule(merged, c.reviews)
			var over []int64
			for i, r := range rulings {
				if r.Over {
					over = append(over, r.Review.ID)
				}
				if i < len(c.why) && !strings.HasPrefix(r.Why, c.why[i]) {
					t.Errorf("ruling %d: %q, want %q", i, r.Why, c.why[i])
				}
			}
			if diff := cmp.Diff(c.over, over); diff != "" || len(rulings) != len(c.why) {
				t.Errorf("%d rulings, want %d; merged over (-want +got):\n%s", len(rulings), len(c.why), diff)
			}
		})
	}
}

// Whatever the reviews are: at most one ruling for a reviewer, nothing after the merge counts, and
// the order in which they are given does not matter.
func TestRuleHolds(t *testing.T) {
	t.Parallel()
	states := []string{Approved, ChangesRequested, Dismissed, "COMMENTED", "PENDING", "SOMETHING_NEW"}
	rapid.Check(t, func(t *rapid.T) {
		var reviews []Review
		for id := range rapid.IntRange(0, 8).Draw(t, "reviews") {
			r := review(int64(id), rapid.SampledFrom([]string{"mara", "noor", ""}).Draw(t, "who"),
				rapid.SampledFrom(states).Draw(t, "state"), rapid.IntRange(0, 120).Draw(t, "minute"))
			if r.State == Dismissed && rapid.Bool().Draw(t, "known") {
				r.Dismissal = &Dismissal{By: "piet", At: r.Submitted.Add(time.Minute), Was: rapid.SampledFrom(states[:2]).Draw(t, "was")}
			}
			reviews = append(reviews, r)
		}
		rulings := Rule(merged, reviews)
		seen := map[string]bool{}
		for _, r := range rulings {
			if who := r.Review.Reviewer; who == "" || seen[who] || r.Why == "" || r.Review.Submitted.After(merged.MergedAt) {
				t.Fatalf("%+v", rulings)
			}
			seen[r.Review.Reviewer] = true
		}
		early := slices.DeleteFunc(slices.Clone(reviews), func(r Review) bool { return r.Submitted.After(merged.MergedAt) })
		slices.Reverse(early)
		if diff := cmp.Diff(rulings, Rule(merged, early)); diff != "" {
			t.Fatalf("other rulings without the late ones, in reverse:\n%s", diff)
		}
	})
}

func TestAddressed(t *testing.T) {
	t.Parallel()
	line, outdated, file := Comment{Line: true}, Comment{Line: true, Outdated: true}, Comment{Outdated: true}
	for name, c := range map[string]struct {
		comments []Comment
		want     bool
	}{
		"no comments":                     {nil, false},
		"all outdated":                    {[]Comment{outdated, outdated}, true},
		"one still applies":               {[]Comment{outdated, line}, false},
		"whole files only":                {[]Comment{file}, false},
		"whole files beside the outdated": {[]Comment{file, outdated}, true},
	} {
		if got := Addressed(c.comments); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestReverted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		branch, title, body string
		want                int
	}{
		{branch: "revert-12-topic", want: 12},
		{branch: "revert-12-topic", title: "Anything", want: 12},
		{branch: "revert-13-revert-12-topic"},
		{branch: "revert-14-revert-13-revert-12-topic", want: 12},
		{branch: "revert-12-"},
		{branch: "revert-0-topic"},
		{branch: "my-revert-12-topic"},
		{branch: "revert-99999999999999999999-topic"},
		{branch: "topic", title: `Revert "Topic"`, body: "Reverts acme/api#12\n", want: 12},
		{branch: "topic", title: `Revert "Topic"`, body: "Oh.\r\nReverts #12\r\n", want: 12},
		{branch: "topic", title: `Revert "Revert "Topic""`, body: "Reverts acme/api#13"},
		{branch: "topic", title: `Revert "Topic"`, body: "It does what #12 did"},
		{branch: "topic", title: `Revert "Topic" again`, body: "Reverts #12"},
		{branch: "topic", title: "Do not Revert the lease", body: "Reverts #12"},
	} {
		if got := Reverted(c.branch, c.title, c.body); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
