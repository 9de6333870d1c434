package main

import (
	"bytes"
	"strings"
	"testing"
)

// The demo is the product's main job, on its real parts; it must tell the story of issue 2.
func TestDemo(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	p := &program{ctx: t.Context(), out: &out, err: &err}
	if code := p.run([]string{"demo"}); code != exitDone {
		t.Fatalf("exit %d: %s\n%s", code, &err, &out)
	}
	told := out.String()
	for _, want := range []string{
		"-> learned: appended ",
		"-> learned: refreshed ",
		"-> nothing: the reviewer sam has no write permission",
		"done before: 0 requests to GitHub, no new commit",
		"(PR #2, 2026-11-16, changes-requested, earned 2x)",
		"Lessons-Source: changes-requested PR #1 review ",
		"lessons: 1 refreshed (PR #2) [skip ci]",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("the demo does not say %q\n%s", want, &out)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]int{"--help": exitDone, "fly": exitUsage, "": exitUsage, "serve --log-format xml": exitUsage} {
		var out, err bytes.Buffer
		p := &program{ctx: t.Context(), out: &out, err: &err}
		if code := p.run(strings.Fields(args)); code != want || (want != exitDone) == (err.Len() == 0) {
			t.Errorf("%q: exit %d, said %q", args, code, err.String())
		}
	}
}

func TestAMistakeInTheEnvironmentShowsNoValue(t *testing.T) {
	t.Setenv("AGENT_LESSONS_MODEL_BUDGET", `sk-ant-hush"hush`)
	var out, err bytes.Buffer
	p := &program{ctx: t.Context(), out: &out, err: &err}
	if code := p.run([]string{"serve"}); code != exitUsage || !strings.Contains(err.String(), "AGENT_LESSONS_MODEL_BUDGET") || strings.Contains(err.String(), "hush") {
		t.Errorf("exit %d: %s", code, &err)
	}
}
