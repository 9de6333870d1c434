package browsertest

import (
	"os"
	"path/filepath"
	"runtime"
)

// Accessible fails the test for every rule of axe-core that the page breaks. Without axe-core (npm
// install in npm/) it does nothing, or fails when AGENT_LESSONS_TEST_ALL=1.
func (p *Page) Accessible() {
	p.t.Helper()
	_, here, _, _ := runtime.Caller(0)
	axe, err := os.ReadFile(filepath.Join(filepath.Dir(here), "../../npm/node_modules/axe-core/axe.min.js"))
	if err != nil {
		if os.Getenv("AGENT_LESSONS_TEST_ALL") != "" {
			p.t.Fatalf("axe-core is missing; scripts/test installs it: %v", err)
		}
		p.t.Logf("not looked at by axe-core, which is not installed: %v", err)
		return
	}
	violations := Eval[[]string](p, string(axe)+`;axe.run().then(r => r.violations.map(v => v.id + ": " + v.help + "\n" +
		v.nodes.slice(0, 3).map(n => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")))`)
	for _, v := range violations {
		p.t.Error(v)
	}
}
