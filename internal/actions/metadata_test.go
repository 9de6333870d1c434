package actions

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

type metadata struct {
	Inputs, Outputs yaml.MapSlice
	Runs            struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Env            map[string]string
		}
	}
}

func readMetadata(t *testing.T) metadata {
	t.Helper()
	src, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var m metadata
	if err := yaml.Unmarshal(src, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// The tables of docs/action.md are what action.yml says.
func TestTheDocumentedInputsAndOutputs(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/action.md")
	if err != nil {
		t.Fatal(err)
	}
	m := readMetadata(t)
	var want []string
	for _, input := range m.Inputs {
		about := input.Value.(map[string]any)
		value := ""
		if d := about["default"].(string); d != "" {
			value = "`" + d + "` "
		}
		want = append(want, fmt.Sprintf("| `%s` | %s| %s |", input.Key, value, about["description"]))
	}
	for _, output := range m.Outputs {
		want = append(want, fmt.Sprintf("| `%s` | %s |", output.Key, output.Value.(map[string]any)["description"]))
	}
	_, tables, _ := strings.Cut(string(page), "## Inputs")
	var got []string
	for line := range strings.Lines(tables) {
		if strings.HasPrefix(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/action.md (-action.yml +page):\n%s", diff)
	}
}

// Every input reaches the program, by the environment alone, and every output comes from it.
func TestTheStepPassesInputsAndOutputsOn(t *testing.T) {
	t.Parallel()
	m := readMetadata(t)
	if m.Runs.Using != "composite" || len(m.Runs.Steps) != 1 {
		t.Fatalf("runs: %+v", m.Runs)
	}
	step := m.Runs.Steps[0]
	if strings.Contains(step.Run, "${{") {
		t.Errorf("an expression in run: %q", step.Run)
	}
	env := map[string]string{}
	for _, input := range m.Inputs {
		name := input.Key.(string)
		env["INPUT_"+strings.ToUpper(strings.ReplaceAll(name, "-", "_"))] = "${{ inputs." + name + " }}"
	}
	if diff := cmp.Diff(env, step.Env); diff != "" {
		t.Errorf("env (-want +got):\n%s", diff)
	}
	s := newStage(t, mayAll, nil)
	s.mustRun(schedule())
	outputs := s.outputs()
	for _, output := range m.Outputs {
		name := output.Key.(string)
		if value := output.Value.(map[string]any)["value"]; value != "${{ steps."+step.ID+".outputs."+name+" }}" {
			t.Errorf("output %s: %s", name, value)
		}
		if _, written := outputs[name]; !written {
			t.Errorf("the program does not write %s", name)
		}
		delete(outputs, name)
	}
	if len(outputs) > 0 {
		t.Errorf("action.yml does not pass on %v", outputs)
	}
}
