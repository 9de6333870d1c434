package app

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// Each alert asks for metrics that there are, with labels that they have, and tells what to do.
// Whether Prometheus would take the expressions is not tested: its parser alone is heavier than the App.
func TestAlerts(t *testing.T) {
	text, err := os.ReadFile("../../docs/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	runbook, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.UnmarshalWithOptions(text, &rules, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	b.deliver(b.review("piet", "mara", lessonA))
	_, metrics := b.get("/metrics")
	metric := regexp.MustCompile(`agent_lessons_\w+`)
	var asked []string
	for _, rule := range rules.Groups[0].Rules {
		asked = append(asked, metric.FindAllString(rule.Expr, -1)...)
		if !strings.Contains(string(runbook), "- **"+rule.Alert+"**: ") {
			t.Errorf("docs/operations.md does not say what to do about %s", rule.Alert)
		}
		if strings.Count(rule.Expr, "(") != strings.Count(rule.Expr, ")") || rule.Annotations["summary"] == "" || rule.Labels["severity"] == "" {
			t.Errorf("%s: %s", rule.Alert, rule.Expr)
		}
	}
	if len(asked) < 8 {
		t.Errorf("only %q are watched", asked)
	}
	for _, name := range asked {
		if !strings.Contains(metrics, "\n"+name+"{") && !strings.Contains(metrics, "\n"+name+" ") {
			t.Errorf("there is no metric %s", name)
		}
	}
	for _, name := range metric.FindAllString(string(runbook), -1) {
		if !strings.Contains(metrics, "# TYPE "+name+" ") && name != "agent_lessons_lessons_refused_total" { // none is refused here
			t.Errorf("docs/operations.md tells of %s, which there is not", name)
		}
	}
}
