package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"
	"github.com/rs/zerolog"

	"github.com/agent-corp/agent-lessons/internal/lesson"
	"github.com/agent-corp/agent-lessons/internal/queue"
	"github.com/agent-corp/agent-lessons/internal/review"
)

// editIntake turns pushes that a person changed the lessons file by into intents (issue 8). It
// decides from the payload and calls nobody.
type editIntake struct {
	intents intents
	log     zerolog.Logger
	self    func() string
	pathOf  func(fullName string) string // where a repository's lessons file is, as far as is known
}

// Handles lists the events.
func (i *editIntake) Handles() []string { return []string{"push"} }

type pushPayload struct {
	Ref     string `json:"ref"`
	After   string `json:"after"`
	Commits []struct {
		Added    []string `json:"added"`
		Modified []string `json:"modified"`
	} `json:"commits"`
	Repository *struct {
		ID            int64  `json:"id"`
		FullName      string `json:"full_name"`
		DefaultBranch string `json:"default_branch"`
	} `json:"repository"`
	Installation *struct {
		ID int64 `json:"id"`
	} `json:"installation"`
	Sender *account `json:"sender"`
}

// maxCommits is how many commits a push's payload holds; the others are not told of (github.md 1.6).
const maxCommits = 2048

// Handle puts the intent on disk. It returns errMalformed, or the queue's error.
func (i *editIntake) Handle(ctx context.Context, _, delivery string, body []byte) error {
	var p pushPayload
	if err := json.Unmarshal(body, &p); err != nil {
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	if p.Installation == nil || p.Repository == nil || p.Ref != "refs/heads/"+p.Repository.DefaultBranch || !i.touches(p) {
		return nil
	}
	if self := i.self(); self != "" && strings.EqualFold(p.Sender.login(), self) {
		return nil
	}
	_, err := i.intents.Put(ctx, queue.Intent{
		Delivery: delivery, Kind: kindEdit, Installation: p.Installation.ID,
		Repository: p.Repository.ID, FullName: p.Repository.FullName, Head: p.After, At: time.Now(),
	})
	if err == nil {
		i.log.Info().Str("delivery", delivery).Str("repository", p.Repository.FullName).Msg("a person edited the lessons file")
	}
	return err
}

func (i *editIntake) touches(p pushPayload) bool {
	path := i.pathOf(p.Repository.FullName)
	for _, c := range p.Commits {
		if slices.Contains(c.Added, path) || slices.Contains(c.Modified, path) {
			return true
		}
	}
	return len(p.Commits) >= maxCommits
}

// checkEdit looks for what in the file is not understood, and says so on the commit that brought it,
// once. The file is left alone.
func (a *App) checkEdit(ctx context.Context, in queue.Intent) (queue.Outcome, error) {
	repo, err := a.repository(in)
	if err != nil {
		return queue.Outcome{}, err
	}
	cfg, err := a.config(ctx, repo)
	if err != nil {
		return queue.Outcome{}, err
	}
	snapshot, err := repo.Store(cfg, a.now()).GitHub.Read(ctx)
	if err != nil {
		return queue.Outcome{}, err
	}
	var odd []lesson.Bullet
	for _, b := range lesson.Parse(snapshot.Content).Bullets() {
		if b.Oddity == "" {
			continue
		}
		told, err := a.index.Has(ctx, in.Repository, oddity(b))
		if err != nil {
			return queue.Outcome{}, err
		}
		if !told {
			odd = append(odd, b)
		}
	}
	if len(odd) == 0 {
		return nothing("the edited file is understood"), nil
	}
	err = tellOddities(ctx, repo, in.Head, cfg.Path, odd)
	var answer *github.ErrorResponse
	if errors.As(err, &answer) && answer.Response.StatusCode == http.StatusForbidden && strings.Contains(answer.Message, "not accessible") {
		return nothing("%d lines of %s are not understood, and without the permission Checks: read and write there is no place to say it", len(odd), cfg.Path), nil
	}
	if err != nil {
		return queue.Outcome{}, err
	}
	for _, b := range odd {
		if err := a.index.Done(ctx, in.Repository, oddity(b)); err != nil {
			return queue.Outcome{}, err
		}
	}
	return queue.Outcome{Result: "told", Reason: fmt.Sprintf("%d lines of %s are not understood, see the check run", len(odd), cfg.Path)}, nil
}

// oddity names what was told of a bullet, so that it is told once.
func oddity(b lesson.Bullet) string {
	sum := sha256.Sum256([]byte(b.Sentence + "\n" + b.Oddity))
	return "oddity " + hex.EncodeToString(sum[:8])
}

// maxAnnotations is how many a check run takes in one request (github.md 4.3).
const maxAnnotations = 50

func tellOddities(ctx context.Context, repo review.Repository, head, path string, odd []lesson.Bullet) error {
	var annotations []*github.CheckRunAnnotation
	for _, b := range odd[:min(len(odd), maxAnnotations)] {
		annotations = append(annotations, &github.CheckRunAnnotation{
			Path: &path, StartLine: &b.Line, EndLine: &b.Line,
			AnnotationLevel: github.String("warning"), Title: github.String("Not understood"), Message: github.String(b.Oddity),
		})
	}
	summary := fmt.Sprintf("%d lines are kept as they are, but how they end is not understood. Agents are shown them as a person's own lines, or as their verdict says.", len(odd))
	_, _, err := repo.Client.Checks.CreateCheckRun(ctx, repo.Owner, repo.Name, github.CreateCheckRunOptions{
		Name: "Lessons file", HeadSHA: head, Status: github.String("completed"), Conclusion: github.String("neutral"),
		Output: &github.CheckRunOutput{Title: github.String("Something in the lessons file is not understood"), Summary: &summary, Annotations: annotations},
	})
	return err
}
