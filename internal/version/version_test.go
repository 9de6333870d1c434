package version

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	t.Parallel()
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for name, c := range map[string]struct {
		build debug.BuildInfo
		want  Info
		print string
	}{
		"a checkout with changes": {
			build: debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
				setting("GOOS", "linux"), setting("GOARCH", "arm64"), setting("vcs.revision", "c0ffee"), setting("vcs.time", "2026-12-01T09:00:00Z"), setting("vcs.modified", "true"),
			}},
			want:  Info{Version: "devel", Commit: "c0ffee", Date: "2026-12-01T09:00:00Z", Modified: true, Go: "go1.26.1", Platform: "linux/arm64"},
			print: "commit   c0ffee, and changes on top\ndate     2026-12-01T09:00:00Z\n",
		},
		"go install of a release": {
			build: debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{setting("GOOS", "darwin"), setting("GOARCH", "arm64")}},
			want:  Info{Version: "v1.2.3", Go: "go1.26.1", Platform: "darwin/arm64"},
			print: "agent-lessons v1.2.3\ncommit   unknown\n",
		},
	} {
		got := Of(&c.build)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if released := got.Version == "v1.2.3"; got.Released() != released {
			t.Errorf("%s: released %t", name, !released)
		}
		var out strings.Builder
		got.Print(&out, "agent-lessons")
		if !strings.Contains(out.String(), c.print) {
			t.Errorf("%s:\n%s\nlacks\n%s", name, &out, c.print)
		}
	}
}
