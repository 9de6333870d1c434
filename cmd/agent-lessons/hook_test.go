package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-corp/agent-lessons/internal/findings"
)

// BenchmarkHookBefore is a prompt's wait, as a whole process, with ten thousand findings. Beside
// it stands the wait for a process that does nothing.
func BenchmarkHookBefore(b *testing.B) {
	folder := b.TempDir()
	program := filepath.Join(folder, "agent-lessons")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	b.Setenv("HOME", folder)
	b.Setenv("XDG_CACHE_HOME", filepath.Join(folder, "cache"))
	b.Setenv("AGENT_FINDINGS_HOME", filepath.Join(folder, "store"))
	fill(b, filepath.Join(folder, "store"), 10_000)
	b.Chdir(b.TempDir())
	if out, err := exec.Command(program, "findings", "reindex").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for name, args := range map[string][]string{"hook-before": {"hook", "before"}, "findings-recall": {"findings", "recall", "the lease file of subject42"}, "nothing": {"--help"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(program, args...)
				cmd.Stdin = strings.NewReader(`{"hook_event_name":"UserPromptSubmit","prompt":"Compact the lease file of subject42."}`)
				out, err := cmd.Output()
				if err != nil || name != "nothing" && !bytes.Contains(out, []byte("Take a snapshot")) {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}

// fill writes n findings of a few hundred texts, as a team has them after a year.
func fill(b *testing.B, dir string, n int) {
	store := findings.Store{Dir: dir, Cache: b.TempDir()}
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	r, err := store.Add(context.Background(), findings.Record{
		TaskType: "kind", WhatWorked: "Take a snapshot before compacting lease file 0, otherwise a crash loses it.", Tags: []string{"lease-file", "subject0"}, Confidence: 0.7,
	}, day)
	if err != nil {
		b.Fatal(err)
	}
	pattern, err := os.ReadFile(filepath.Join(dir, "findings", "kind", r.ID+".json"))
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		id := fmt.Sprintf("finding-%05d", i)
		src := strings.NewReplacer(r.ID, id, "file 0", fmt.Sprint("file ", i%200), "subject0", fmt.Sprint("subject", i%100)).Replace(string(pattern))
		if err := os.WriteFile(filepath.Join(dir, "findings", "kind", id+".json"), []byte(src), 0o600); err != nil {
			b.Fatal(err)
		}
	}
}
