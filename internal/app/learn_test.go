package app

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/githubtest"
	"github.com/agent-corp/agent-lessons/internal/queue"
)

const putContents = "PUT /repos/{owner}/{repo}/contents/{path}"

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// Issue 2: at most 6 requests for a lesson, once the repository is known.
func TestAReviewBecomesALessonInSixRequests(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo.Put(config.Path, "cap: 30\n", "configure")
	b.deliver(b.review("piet", "mara", "", "Take a snapshot before compacting the lease file, otherwise a crash loses the history."))
	b.github.ResetRequests()

	got := b.deliver(b.review("piet", "mara", "Good start.", lessonA))
	if got.Outcome.Result != "learned" {
		t.Fatalf("outcome %+v\n%s", got, b.log)
	}
	want := []string{
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}",
		"GET /repos/{owner}/{repo}/contents/{path}", // the configuration, by conditional request
		"GET /repos/{owner}/{repo}/collaborators/{username}/permission",
		"GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments",
		"GET /repos/{owner}/{repo}/contents/{path}",
		putContents,
		postCheck, // after the lesson: its buttons (issue 4)
	}
	if diff := cmp.Diff(want, b.routes()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if status := b.github.Requests()[1].Status; status != http.StatusNotModified {
		t.Errorf("the configuration was read anew: %d", status)
	}
	last := b.lessons()[len(b.lessons())-1]
	if want := fmt.Sprintf("- %s (PR #2, %s, changes-requested)", lessonA, today()); last != want {
		t.Errorf("bullet\n%s\nwant\n%s", last, want)
	}
	commit := b.repo.Commits(config.DefaultStore)[0]
	if commit.Author != "agent-lessons[bot]" || !commit.Verified {
		t.Errorf("the commit is %q's, verified %v", commit.Author, commit.Verified)
	}
}

func TestTheSameInOtherWordsIsReEarned(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.deliver(b.review("piet", "mara", "", lessonA))
	got := b.deliver(b.review("piet", "noor", "", lessonB))
	if !strings.HasPrefix(got.Outcome.Reason, "refreshed ") {
		t.Errorf("outcome %+v", got.Outcome)
	}
	want := []string{fmt.Sprintf("- %s (PR #2, %s, changes-requested, earned 2x)", lessonA, today())}
	if diff := cmp.Diff(want, b.lessons()); diff != "" {
		t.Errorf("lessons (-want +got):\n%s", diff)
	}
}

func TestARedeliveryCostsNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	record := b.deliver(b.review("piet", "mara", "", lessonA))
	b.github.ResetRequests()
	again, err := b.github.Redeliver(context.Background(), record.Intent.Delivery)
	if err != nil || again.StatusCode != http.StatusAccepted {
		t.Fatalf("%+v, %v", again, err)
	}
	if asked := b.routes(); len(asked) != 0 {
		t.Errorf("the redelivery asked %v", asked)
	}
}

// Each review here teaches nothing; the reason is on the delivery and in the log, and no commit
// is made.
func TestWhyNothingWasLearned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(b *bench) githubtest.Event
		want string
	}{
		"a reviewer without write permission": {
			play: func(b *bench) githubtest.Event { return b.review("piet", "sam", lessonA) },
			want: "the reviewer sam has no write permission",
		},
		"a stranger": {
			play: func(b *bench) githubtest.Event { return b.review("piet", "stranger", lessonA) },
			want: "the reviewer stranger has no write permission",
		},
		"a bot that is not named": {
			play: func(b *bench) githubtest.Event { return b.review("piet", "helper[bot]", lessonA) },
			want: "helper[bot] is a bot that the configuration does not name under reviewers.bots",
		},
		"a named bot on a stranger's pull request": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path, "reviewers:\n  bots: [\"helper[bot]\"]\n", "trust the helper")
				return b.review("stranger", "helper[bot]", lessonA)
			},
			want: "the author of the pull request, stranger, whom the bot may quote, has no write permission",
		},
		"a named bot on a stranger's fork, of which somebody else made a pull request": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path, "reviewers:\n  bots: [\"helper[bot]\"]\n", "trust the helper")
				number := b.begin("piet", "evil/api").pull
				return b.repo.ReviewEvent("submitted", number, b.repo.AddReview(number, githubtest.Review{User: "helper[bot]", State: "CHANGES_REQUESTED", Comments: inline(lessonA)}), "")
			},
			want: "the owner of the pull request's fork, evil, whom the bot may quote, has no write permission",
		},
		"a channel that is switched off": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path, "channels: [ci-fix]\n", "no reviews")
				return b.review("piet", "mara", lessonA)
			},
			want: "the configuration leaves the channel changes-requested out",
		},
		"a review that was deleted since": {
			play: func(b *bench) githubtest.Event {
				event := b.review("piet", "mara", lessonA)
				b.repo.DeleteReview(1, reviewID(event))
				return event
			},
			want: "the review is gone, or the App may not see it",
		},
		"a review that was dismissed since": {
			play: func(b *bench) githubtest.Event {
				event := b.review("piet", "mara", lessonA)
				b.repo.Dismiss(1, reviewID(event), "mara", "changed my mind", "")
				return event
			},
			want: "the review no longer requests changes: it is dismissed now",
		},
		"praise and questions": {
			play: func(b *bench) githubtest.Event { return b.review("piet", "mara", "Nice! Why a map?") },
			want: "the review holds nothing to learn",
		},
		"no body and no comments": {
			play: func(b *bench) githubtest.Event { return b.review("piet", "mara", "") },
			want: "the review holds nothing to learn",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			got := b.deliver(c.play(b))
			if want := (queue.Outcome{Result: "nothing", Reason: c.want}); got.Outcome != want {
				t.Errorf("outcome\n%+v\nwant\n%+v\n%s", got.Outcome, want, b.log)
			}
			if !strings.Contains(b.log.String(), strings.ReplaceAll(c.want, `"`, `\"`)) {
				t.Errorf("the log does not say why:\n%s", b.log)
			}
			if commits := b.repo.Commits(config.DefaultStore); len(commits) != 0 {
				t.Errorf("it wrote %d commits", len(commits))
			}
		})
	}
}

func reviewID(event githubtest.Event) int64 {
	return event.Payload["review"].(map[string]any)["id"].(int64)
}

// Each of these reviews teaches, whatever is unusual about its surroundings.
func TestWhatIsLearnedAllTheSame(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play func(b *bench) githubtest.Event
		path string
		log  string
	}{
		"a pull request from a fork": {play: func(b *bench) githubtest.Event {
			number := b.repo.OpenPull(githubtest.PullRequest{Title: "Fork", Author: "stranger", Fork: "stranger/api", Files: map[string]string{"main.go": "package main\n"}})
			return b.repo.ReviewEvent("submitted", number, b.repo.AddReview(number, githubtest.Review{User: "mara", State: "CHANGES_REQUESTED", Comments: inline(lessonA)}), "")
		}},
		"a named bot on a member's pull request": {play: func(b *bench) githubtest.Event {
			b.repo.Put(config.Path, "reviewers:\n  bots: [\"Helper[bot]\"]\n", "trust the helper")
			return b.review("piet", "helper[bot]", lessonA)
		}},
		"a malformed configuration: the defaults are in force": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path, "cap: 12\nwindwo: 3\n", "typo")
				return b.review("piet", "mara", lessonA)
			},
			log: "acme/api/.agent-corp/config.yml: line 2",
		},
		"a configuration that is a directory": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path+"/x.yml", "cap: 12\n", "folder")
				return b.review("piet", "mara", lessonA)
			},
			log: "acme/api/.agent-corp/config.yml: it is a directory",
		},
		"a configuration of a megabyte": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path, strings.Repeat("# x\n", 1<<19), "big")
				return b.review("piet", "mara", lessonA)
			},
			log: "acme/api/.agent-corp/config.yml: it ",
		},
		"a configuration that is a link to nothing": {
			play: func(b *bench) githubtest.Event {
				b.repo.Put(config.Path, "nowhere.yml", "link")
				b.repo.SetMode(config.Path, "120000")
				return b.review("piet", "mara", lessonA)
			},
			log: "acme/api/.agent-corp/config.yml: it is a symlink",
		},
		"the owner's configuration": {
			play: func(b *bench) githubtest.Event {
				b.github.AddRepository(1, "acme/.github", map[string]string{config.Path: "path: docs/lessons.md\n"})
				return b.review("piet", "mara", lessonA)
			},
			path: "docs/lessons.md",
		},
		"more comments than a page holds": {play: func(b *bench) githubtest.Event {
			comments := make([]string, 130)
			for i := range comments {
				comments[i] = "Looks good, thanks!"
			}
			comments[129] = lessonA
			return b.review("piet", "mara", "", comments...)
		}},
		"a pull request that was merged since": {play: func(b *bench) githubtest.Event {
			event := b.review("piet", "mara", lessonA)
			b.repo.Merge(1, "piet")
			return event
		}},
		"a repository that was renamed since": {play: func(b *bench) githubtest.Event {
			event := b.review("piet", "mara", lessonA)
			b.repo.Rename("acme/backend")
			return event
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			got := b.deliver(c.play(b))
			path := c.path
			if path == "" {
				path = config.DefaultStore
			}
			content, _ := b.repo.File(path)
			if got.Outcome.Result != "learned" || !strings.Contains(content, lessonA) {
				t.Errorf("outcome %+v, file %q\n%s", got.Outcome, content, b.log)
			}
			if !strings.Contains(b.log.String(), c.log) {
				t.Errorf("the log does not say %q:\n%s", c.log, b.log)
			}
		})
	}
}

func TestAnEmptyRepositoryGetsItsFirstFile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.repo = b.github.AddRepository(1, "acme/new", map[string]string{"README.md": "# new\n"})
	b.repo.SetPermission("mara", "write", "")
	if got := b.deliver(b.review("piet", "mara", lessonA)); got.Outcome.Result != "learned" {
		t.Errorf("outcome %+v\n%s", got.Outcome, b.log)
	}
}

// Comment-only reviews teach where the configuration says so. Elsewhere they cost one look in ten
// minutes, since every inline comment makes one.
func TestCommentOnlyReviews(t *testing.T) {
	t.Parallel()
	comment := func(b *bench, reviewer string) githubtest.Event {
		return b.submit("piet", githubtest.Review{User: reviewer, State: "COMMENTED", Body: lessonA})
	}
	for name, c := range map[string]struct {
		config, reviewer string
		want             queue.Outcome
	}{
		"by default":             {"", "mara", queue.Outcome{Result: "nothing", Reason: "the review only comments, and the configuration does not say reviewers.comments: true"}},
		"with comments: true":    {"reviewers:\n  comments: true\n", "mara", queue.Outcome{Result: "learned"}},
		"of a named bot":         {"reviewers:\n  bots: [\"helper[bot]\"]\n", "helper[bot]", queue.Outcome{Result: "learned"}},
		"without the permission": {"reviewers:\n  comments: true\n", "sam", queue.Outcome{Result: "nothing", Reason: "the reviewer sam has no write permission"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.config != "" {
				b.repo.Put(config.Path, c.config, "configure")
			}
			got := b.deliver(comment(b, c.reviewer))
			if got.Outcome.Result != c.want.Result || c.want.Reason != "" && got.Outcome.Reason != c.want.Reason {
				t.Errorf("outcome %+v\n%s", got.Outcome, b.log)
			}
			b.github.ResetRequests()
			if again, err := b.github.Deliver(t.Context(), comment(b, "noor")); err != nil || !again.OK() {
				t.Fatalf("%+v, %v", again, err)
			}
			if c.config == "" && len(b.github.Requests()) != 0 {
				t.Errorf("a comment-only review asked %v", b.routes())
			}
		})
	}
}

// What the product must not touch is refused, once, with the reason.
func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(r *githubtest.Repository)
		want    string
	}{
		"a directory": {func(r *githubtest.Repository) { r.Put(config.DefaultStore+"/x.md", "x", "folder") }, "it is a directory"},
		"an LFS pointer": {func(r *githubtest.Repository) {
			r.Put(config.DefaultStore, "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n", "lfs")
		}, "Git LFS pointer"},
		"1 MB and more": {func(r *githubtest.Repository) { r.Put(config.DefaultStore, strings.Repeat("x", 1<<20), "big") }, "1 MB or larger"},
		"a symbolic link": {func(r *githubtest.Repository) {
			r.Put(config.DefaultStore, "../nowhere.md", "link")
			r.SetMode(config.DefaultStore, "120000")
		}, "it is a symlink"},
		"a symbolic link to a file": {func(r *githubtest.Repository) {
			r.Put("docs/real.md", "# Real\n", "target")
			r.Put(config.DefaultStore, "../docs/real.md", "link")
			r.SetMode(config.DefaultStore, "120000")
		}, "is it a symbolic link?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c.prepare(b.repo)
			before := len(b.repo.Commits(""))
			got := b.deliver(b.review("piet", "mara", lessonA))
			if got.State != queue.GaveUp || got.Attempts != 1 || !strings.Contains(got.Outcome.Reason, c.want) {
				t.Errorf("delivery %+v\nwant %q\n%s", got, c.want, b.log)
			}
			if after := len(b.repo.Commits("")); after != before {
				t.Errorf("%d new commits", after-before)
			}
		})
	}
}

// Of a person's review that only comments, what asks for a change teaches, and what tells does not;
// the same words teach where changes are requested, or a named bot says them.
func TestCommentsTeachWhatTheyAskFor(t *testing.T) {
	t.Parallel()
	const tells = "The request's context is not passed to `http.NewRequestWithContext`, so a cancelled request keeps waiting for the upstream service."
	for name, c := range map[string]struct {
		reviewer, state string
		want            string
	}{
		"told in a comment":             {"mara", "COMMENTED", "nothing"},
		"told in a request for changes": {"mara", "CHANGES_REQUESTED", "learned"},
		"told by a named bot":           {"helper[bot]", "COMMENTED", "learned"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.repo.Put(config.Path, "reviewers:\n  comments: true\n  bots: [\"helper[bot]\"]\n", "configure")
			if got := b.deliver(b.submit("piet", githubtest.Review{User: c.reviewer, State: c.state, Comments: inline(tells)})); got.Outcome.Result != c.want {
				t.Errorf("%+v\n%s", got.Outcome, b.log)
			}
		})
	}
}
