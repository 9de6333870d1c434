package app

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/ledger"
	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

// merge merges a pull request and returns the event that tells of it.
func (b *bench) merge(number int) githubtest.Event {
	b.repo.Merge(number, "piet")
	return b.repo.PullEvent("closed", number, "piet")
}

// active and overridden are the two lines that lessonA can end as.
func active() string { return fmt.Sprintf("- %s (PR #1, %s, changes-requested)", lessonA, today()) }

func overridden() string {
	return fmt.Sprintf("- %s (PR #1, %s, changes-requested; overridden %s)", lessonA, today(), today())
}

func TestAMergeOverAReviewOverrides(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	b.github.ResetRequests()

	got := b.deliver(b.merge(1))
	if got.Outcome.Result != "overridden" || !strings.Contains(got.Outcome.Reason, "overridden "+lesson.Handle(lessonA)) {
		t.Fatalf("outcome %+v\n%s", got.Outcome, b.log)
	}
	if diff := cmp.Diff([]string{overridden()}, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s", diff)
	}
	want := []string{
		"GET /repos/{owner}/{repo}/pulls/{pull_number}",
		"GET /repos/{owner}/{repo}/contents/{path}", // the configuration; the owner's is believed for minutes
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews",
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/comments",
		"GET /repos/{owner}/{repo}/contents/{path}",
		"GET /repos/{owner}/{repo}/commits",
		putContents,
	}
	if diff := cmp.Diff(want, b.routes()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	commit := b.repo.Commits(config.DefaultStore)[0]
	if !strings.HasPrefix(commit.Message, "lessons: 1 overridden (PR #1) [skip ci]\n\nReview ") || len(ledger.Parse(commit.Message)) != 1 {
		t.Errorf("message %q", commit.Message)
	}

	b.github.ResetRequests()
	if again, err := b.github.Redeliver(context.Background(), got.Intent.Delivery); err != nil || again.StatusCode != http.StatusAccepted {
		t.Fatalf("%+v, %v", again, err)
	}
	if again := b.deliver(b.repo.PullEvent("closed", 1, "piet")); again.Outcome.Reason != "the merge was worked off before" {
		t.Errorf("outcome %+v", again.Outcome)
	}
	if asked := b.routes(); len(asked) != 0 {
		t.Errorf("the redelivery asked %v", asked)
	}
}

// How a pull request that mara had asked to change came to its end, and what became of her lesson.
func TestHowAPullRequestEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play   func(b *bench, review int64) githubtest.Event
		over   bool
		reason string
	}{
		"closed without a merge": {
			func(b *bench, _ int64) githubtest.Event {
				b.repo.Close(1)
				return b.repo.PullEvent("closed", 1, "piet")
			},
			false, "closed without a merge",
		},
		"a payload that is wrong about the merge": {
			func(b *bench, _ int64) githubtest.Event {
				event := b.merge(1)
				pull := event.Payload["pull_request"].(map[string]any)
				pull["state"], pull["merged"], pull["merged_at"], pull["closed_at"] = "open", false, nil, nil
				event.Raw, _ = json.Marshal(event.Payload)
				return event
			},
			true, "still asked for at the merge",
		},
		"merged by a queue": {
			func(b *bench, _ int64) githubtest.Event {
				b.repo.Merge(1, "github-merge-queue[bot]")
				return b.repo.PullEvent("closed", 1, "github-merge-queue[bot]")
			},
			true, "still asked for at the merge",
		},
		"merged by a push, so that nobody is named": {
			func(b *bench, _ int64) githubtest.Event {
				b.repo.Merge(1, "")
				return b.repo.PullEvent("closed", 1, "piet")
			},
			true, "still asked for at the merge",
		},
		"approved after all": {
			func(b *bench, _ int64) githubtest.Event {
				b.repo.AddReview(1, githubtest.Review{User: "mara", State: "APPROVED"})
				return b.merge(1)
			},
			false, "mara approved before the merge",
		},
		"approved by another": {
			func(b *bench, _ int64) githubtest.Event {
				b.repo.AddReview(1, githubtest.Review{User: "noor", State: "APPROVED"})
				return b.merge(1)
			},
			true, "mara requested were still asked for",
		},
		"approved on the second page of reviews": {
			func(b *bench, _ int64) githubtest.Event {
				for range 105 {
					b.repo.AddReview(1, githubtest.Review{User: "noor", State: "COMMENTED", Body: "Hm."})
				}
				b.repo.AddReview(1, githubtest.Review{User: "mara", State: "APPROVED"})
				return b.merge(1)
			},
			false, "mara approved before the merge",
		},
		"dismissed by another": {
			func(b *bench, review int64) githubtest.Event {
				b.repo.Dismiss(1, review, "noor", "no time", "")
				return b.merge(1)
			},
			true, "dismissed by @noor, and no commit followed it",
		},
		"dismissed by another, after a push": {
			func(b *bench, review int64) githubtest.Event {
				b.repo.PushPull(1, "address it", map[string]string{"main.go": "package main // better\n"})
				b.repo.Dismiss(1, review, "noor", "done", "")
				return b.merge(1)
			},
			false, "dismissed after further commits",
		},
		"taken back by the reviewer": {
			func(b *bench, review int64) githubtest.Event {
				b.repo.Dismiss(1, review, "mara", "I was wrong", "")
				return b.merge(1)
			},
			false, "mara took the review back",
		},
		"the code under every comment changed": {
			func(b *bench, review int64) githubtest.Event {
				b.repo.OutdateComments(1, review)
				return b.merge(1)
			},
			false, "the code under each of its comments had changed",
		},
		"the code under one comment did not": {
			func(b *bench, review int64) githubtest.Event {
				b.repo.OutdateComments(1, review, b.repo.ReviewComments(1, review)[0].ID)
				return b.merge(1)
			},
			true, "still asked for at the merge",
		},
		"the reviewer has lost write permission since": {
			func(b *bench, _ int64) githubtest.Event {
				b.repo.SetPermission("mara", "read", "")
				return b.merge(1)
			},
			true, "still asked for at the merge",
		},
		"the pull request cannot be seen any more": {
			func(b *bench, _ int64) githubtest.Event {
				event := b.merge(1)
				b.github.Fail(githubtest.Fault{Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}", Answer: githubtest.ErrorAnswer(404, "Not Found")})
				return event
			},
			false, "the pull request is gone",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			review := b.submit("piet", githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Comments: inline(lessonA, "Nice name.")})
			b.deliver(review)
			got := b.deliver(c.play(b, reviewID(review)))
			want := []string{active()}
			if c.over {
				want[0] = overridden()
			}
			if diff := cmp.Diff(want, b.lessons()); diff != "" {
				t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
			}
			if !strings.Contains(got.Outcome.Reason, c.reason) || !strings.Contains(b.log.String(), c.reason) {
				t.Errorf("outcome %+v\n%s", got.Outcome, b.log)
			}
		})
	}
}

// A review changes nothing by being merged over when its author could not have taught.
func TestWhoIsMergedOver(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		author, reviewer, cfg string
		over                  bool
	}{
		"a person with write permission":           {"piet", "mara", "", true},
		"a person without":                         {"piet", "sam", "", false},
		"a bot that is not named":                  {"piet", "helper[bot]", "", false},
		"a bot that is named":                      {"piet", "helper[bot]", "reviewers:\n  bots: [\"helper[bot]\"]\n", true},
		"a named bot on a stranger's pull request": {"stranger", "helper[bot]", "reviewers:\n  bots: [\"helper[bot]\"]\n", false},
		"an account that is gone":                  {"piet", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.cfg != "" {
				b.repo.Put(config.Path, c.cfg, "configure")
			}
			// Somebody's hand wrote the file: only the pull request's number says whose lesson it is.
			b.repo.Put(config.DefaultStore, active()+"\n", "note")
			b.review(c.author, c.reviewer, "Please, no.")
			b.deliver(b.merge(1))
			want := []string{active()}
			if c.over {
				want[0] = overridden()
			}
			if diff := cmp.Diff(want, b.lessons()); diff != "" {
				t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
			}
		})
	}
}

// A review that is still being distilled when the merge arrives ends overridden too, whatever
// order the jobs run in.
func TestTheMergeArrivesFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	review := b.review("piet", "mara", "", lessonA)
	if got := b.deliver(b.merge(1)); !strings.HasPrefix(got.Outcome.Reason, "no bullet rests on it") {
		t.Errorf("outcome %+v", got.Outcome)
	}
	got := b.deliver(review)
	if got.Outcome.Result != "overridden" || !strings.HasPrefix(got.Outcome.Reason, "appended ") {
		t.Errorf("outcome %+v", got.Outcome)
	}
	if diff := cmp.Diff([]string{overridden()}, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
	}
}

// Nobody told the App of the merge, or it has forgotten: a review that is learned late is held
// against the pull request.
func TestAReviewThatIsLearnedLate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	review := b.submit("piet", githubtest.Review{
		User: "mara", State: "CHANGES_REQUESTED", Comments: inline(lessonA), SubmittedAt: time.Now().Add(-lateAfter - time.Minute),
	})
	b.merge(1)
	b.github.Fail(githubtest.Fault{Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}", Answer: githubtest.BadGateway()})
	got := b.deliver(review)
	if got.Outcome.Result != "overridden" || len(b.lessons()) != 1 || !strings.HasSuffix(b.lessons()[0], "; overridden "+today()+")") {
		t.Errorf("outcome %+v, lessons %q\n%s", got.Outcome, b.lessons(), b.log)
	}
}

func TestJobsThatAreTriedAgain(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]githubtest.Fault{
		"the review cannot be read":              {Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", Answer: githubtest.BadGateway(), Times: 2},
		"the lesson cannot be written":           {Route: putContents, Answer: githubtest.BadGateway(), Times: 2},
		"the lesson is written, and nobody told": {Route: putContents, Reset: true, After: true},
		"the merge cannot be read":               {Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}", Answer: githubtest.BadGateway(), Times: 2},
		"the reviews cannot be listed":           {Route: "GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews", Answer: githubtest.BadGateway(), Times: 2},
		"the override cannot be written":         {Route: putContents, Answer: githubtest.BadGateway(), Skip: 1, Times: 2},
		"the override is written, nobody told":   {Route: putContents, Reset: true, After: true, Skip: 1},
		"a person edits meanwhile":               {Route: putContents, Answer: githubtest.ErrorAnswer(409, config.DefaultStore+" does not match 1234"), Skip: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.github.Fail(fault)
			events := []githubtest.Event{b.review("piet", "mara", "", lessonA), b.merge(1)}
			var guids []string
			for _, event := range events {
				delivery, err := b.github.Deliver(context.Background(), event)
				if err != nil || delivery.StatusCode != http.StatusAccepted {
					t.Fatalf("%+v, %v", delivery, err)
				}
				guids = append(guids, delivery.GUID)
			}
			for _, guid := range guids {
				if got := b.wait(guid); got.State != queue.Done {
					t.Errorf("delivery %+v", got)
				}
			}
			if diff := cmp.Diff([]string{overridden()}, b.lessons()); diff != "" {
				t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
			}
			if commits := b.repo.Commits(config.DefaultStore); len(commits) != 2 {
				t.Errorf("%d commits", len(commits))
			}
		})
	}
}

// Two reviewers; one is merged over, one is spared. The commit says why.
func TestTheCommitSaysWhoWasSpared(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	other := "Take a snapshot before compacting the lease file, otherwise a crash loses the history."
	second := b.repo.AddReview(1, githubtest.Review{User: "noor", State: "CHANGES_REQUESTED", Comments: inline(other)})
	b.deliver(b.repo.ReviewEvent("submitted", 1, second, ""))
	b.repo.OutdateComments(1, second)
	b.deliver(b.merge(1))
	want := []string{overridden(), fmt.Sprintf("- %s (PR #1, %s, changes-requested)", other, today())}
	if diff := cmp.Diff(want, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
	}
	message := b.repo.Commits(config.DefaultStore)[0].Message
	if !strings.Contains(message, fmt.Sprintf("Review %d is spared: ", second)) || strings.Contains(message, " @noor ") {
		t.Errorf("message %q", message)
	}
}

// A revert of what was merged over is worth a thought, and nothing else.
func TestARevertIsNoted(t *testing.T) {
	t.Parallel()
	for branch, noted := range map[string]bool{"revert-1-a-change": true, "revert-2-revert-1-a-change": false, "my-revert-1-a-change": false} {
		t.Run(branch, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.deliver(b.review("piet", "mara", "", lessonA))
			b.deliver(b.merge(1))
			number := b.repo.OpenPull(githubtest.PullRequest{Title: "Back", Author: "piet", Head: branch, Files: map[string]string{"main.go": "package main\n\n"}})
			got := b.deliver(b.merge(number))
			if strings.Contains(got.Outcome.Reason, "it reverts #1, which was merged over a review that may have been right") != noted {
				t.Errorf("outcome %+v", got.Outcome)
			}
			if diff := cmp.Diff([]string{overridden()}, b.lessons()); diff != "" {
				t.Errorf("lessons (-want +got):\n%s", diff)
			}
		})
	}
}

// An index that was lost is rebuilt from the commits before a merge is judged.
func TestAMergeAfterTheDatabaseIsLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	b.repo.SetPermission("mara", "read", "") // only the commits know that she could teach
	b.stop()
	o := b.opts
	o.place = emptyDatabase(t)
	b = newBenchWith(t, o)
	b.deliver(b.merge(1))
	if diff := cmp.Diff([]string{overridden()}, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s\n%s", diff, b.log)
	}
	again := b.deliver(b.repo.ReviewEvent("submitted", 1, ledger.Parse(b.repo.Commits(config.DefaultStore)[1].Message)[0].Source.ID, ""))
	if again.Outcome.Result != "nothing" {
		t.Errorf("outcome %+v", again.Outcome)
	}
}
