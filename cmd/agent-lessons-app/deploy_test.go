package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-yaml"

	"github.com/agent-corp/agent-lessons/internal/pagetest"
)

// The examples in deploy/ set nothing that the server does not know, and give it what it cannot do without.
func TestDeployExamples(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&commands{}, kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{"DATABASE_URL": true}
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			for _, env := range flag.Envs {
				known[env] = true
			}
		}
	}
	variable := regexp.MustCompile(`\b(?:GITHUB|AGENT_LESSONS|DATABASE|ANTHROPIC|OPENAI)_[A-Z0-9_]+\b`)
	for _, file := range []string{"../../deploy/compose.yml", "../../deploy/kubernetes.yaml", "../../Dockerfile", "../../docs/deploy.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, name := range variable.FindAllString(string(text), -1) {
			if found[name] = true; !known[name] {
				t.Errorf("%s sets %s, which no command knows", file, name)
			}
		}
		if strings.Contains(file, "/deploy/") {
			for _, name := range []string{"GITHUB_APP_INTEGRATION_ID", "GITHUB_APP_PRIVATE_KEY_FILE", "GITHUB_APP_WEBHOOK_SECRET_FILE", "DATABASE_URL"} {
				if !found[name] {
					t.Errorf("%s does not set %s", file, name)
				}
			}
		}
	}
}

type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct{ Name string }
	Spec       struct {
		Selector any
		Template struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				SecurityContext struct {
					RunAsNonRoot bool `yaml:"runAsNonRoot"`
				} `yaml:"securityContext"`
				Containers []struct {
					ReadinessProbe, LivenessProbe struct {
						HTTPGet struct{ Path string } `yaml:"httpGet"`
					}
					SecurityContext struct {
						ReadOnly bool `yaml:"readOnlyRootFilesystem"`
					} `yaml:"securityContext"`
				}
			}
		}
	}
}

func TestManifestsParse(t *testing.T) {
	t.Parallel()
	var compose struct {
		Services map[string]struct {
			ReadOnly bool `yaml:"read_only"`
			Secrets  []string
		}
		Secrets map[string]struct{ File string }
	}
	if err := yaml.Unmarshal(file(t, "../../deploy/compose.yml"), &compose); err != nil {
		t.Fatal(err)
	}
	for _, secret := range compose.Services["app"].Secrets {
		if compose.Secrets[secret].File == "" {
			t.Errorf("compose: the secret %q comes from nowhere", secret)
		}
	}
	if !compose.Services["app"].ReadOnly {
		t.Error("compose: the root file system can be written to")
	}
	var kinds []string
	for _, document := range strings.Split(string(file(t, "../../deploy/kubernetes.yaml")), "\n---\n") {
		var m manifest
		if err := yaml.Unmarshal([]byte(document), &m); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, m.APIVersion+" "+m.Kind+" "+m.Metadata.Name)
		if m.Kind != "Deployment" {
			continue
		}
		pod := m.Spec.Template
		if c := pod.Spec.Containers[0]; pod.Metadata.Labels["app"] != "agent-lessons" || !pod.Spec.SecurityContext.RunAsNonRoot || !c.SecurityContext.ReadOnly {
			t.Errorf("%+v", pod)
		}
	}
	if got := strings.Join(kinds, "; "); got != "apps/v1 Deployment agent-lessons; v1 Service agent-lessons; policy/v1 PodDisruptionBudget agent-lessons" {
		t.Errorf("%s", got)
	}
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

var _ = flag.Bool("update", false, "rewrite the table of commands in the README")

// The README names every command.
func TestDocumentedCommands(t *testing.T) {
	parser, err := kong.New(&commands{}, kong.Name("agent-lessons-app"))
	if err != nil {
		t.Fatal(err)
	}
	pagetest.Between(t, "../../README.md", "agent-lessons-app", pagetest.Commands(parser.Model))
}
