package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/agent-corp/agent-lessons/internal/config"
	"github.com/agent-corp/agent-lessons/internal/findings"
	"github.com/agent-corp/agent-lessons/internal/layers"
	"github.com/agent-corp/agent-lessons/internal/store"
)

// layers returns the reader of the checkout's layers. The age of copies is measured by the clock: an MCP
// server's day ends after it began.
func (p *program) layers(root string) layers.Reader {
	home, _ := os.UserHomeDir() // without one, "~/" stays what it is
	return layers.Reader{Root: root, Home: home, Owner: ownerStore{root, time.Now()}, Findings: findingEntries}
}

// judgements are the guard's answers, remembered for this build of the program.
func (p *program) judgements() *layers.Judgements {
	folder := cacheFolder()
	exe, err := os.Executable()
	if err != nil || folder == "" {
		return layers.OpenJudgements("", "")
	}
	info, err := os.Stat(exe)
	if err != nil {
		return layers.OpenJudgements("", "")
	}
	build := fmt.Sprintf("%s %d %d", exe, info.Size(), info.ModTime().UnixNano())
	return layers.OpenJudgements(filepath.Join(folder, "judgements.json"), build)
}

// cacheFolder is where what can be had again is kept; "" where the system names no such folder.
func cacheFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "agent-lessons")
}

// ownerStore finds out at the last moment who owns the checkout's repository: most have no such layer.
type ownerStore struct {
	root string
	now  time.Time
}

// Fetch implements the owner's part of layers.Reader.
func (o ownerStore) Fetch(ctx context.Context) (layers.Fetched, error) {
	owner, err := repositoryOwner(ctx, o.root)
	if err != nil {
		return layers.Fetched{}, err
	}
	api, err := url.Parse(strings.TrimSuffix(cmp.Or(os.Getenv("GITHUB_API_URL"), "https://api.github.com"), "/") + "/")
	if err != nil {
		return layers.Fetched{}, fmt.Errorf("GITHUB_API_URL: %w", err)
	}
	client := github.NewClient(&http.Client{})
	if token := os.Getenv("GITHUB_TOKEN"); token != "" {
		client = client.WithAuthToken(token)
	}
	client.BaseURL = api
	return layers.Owner{
		Store: store.GitHub{Client: client, Owner: owner, Path: config.DefaultStore}, Folder: cacheFolder(), Now: o.now,
	}.Fetch(ctx)
}

// repositoryOwner is the owner of the repository that a workflow runs in, or else of the remote "origin".
func repositoryOwner(ctx context.Context, root string) (string, error) {
	if owner, _, ok := strings.Cut(os.Getenv("GITHUB_REPOSITORY"), "/"); ok {
		return owner, nil
	}
	server := "github.com"
	if u, err := url.Parse(os.Getenv("GITHUB_SERVER_URL")); err == nil && u.Host != "" {
		server = u.Hostname()
	}
	repository := findings.Repository(ctx, root)
	host, name, _ := strings.Cut(repository, "/")
	owner, _, found := strings.Cut(name, "/")
	switch {
	case repository == "":
		return "", errors.New("whose repository this is cannot be told: set GITHUB_REPOSITORY, or add a remote named origin")
	case !found || !strings.EqualFold(host, server):
		return "", fmt.Errorf("the remote origin is not on %s: set GITHUB_SERVER_URL and GITHUB_API_URL for another server", server)
	}
	return owner, nil
}
