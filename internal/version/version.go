// Package version says which build of a program this is.
package version

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"strings"
)

// A release stamps these by the linker, since it builds without the repository at hand. What is
// "" is read from what the Go command recorded.
var version, commit, date string

// Info describes a build.
type Info struct {
	Version  string `json:"version"`            // "v1.2.3", a pseudo-version, or "devel"
	Commit   string `json:"commit,omitempty"`   // the whole id; "" where it is not known
	Date     string `json:"date,omitempty"`     // when the commit was made, RFC 3339 in UTC
	Modified bool   `json:"modified,omitempty"` // files differed from the commit
	Go       string `json:"go"`                 // "go1.26.1"
	Platform string `json:"platform"`           // "linux/amd64"
}

// Of reads what the Go command recorded in a program.
func Of(build *debug.BuildInfo) Info {
	settings := map[string]string{}
	for _, s := range build.Settings {
		settings[s.Key] = s.Value
	}
	return Info{
		Version:  cmp.Or(strings.Trim(build.Main.Version, "()"), "devel"),
		Commit:   settings["vcs.revision"],
		Date:     settings["vcs.time"],
		Modified: settings["vcs.modified"] == "true",
		Go:       build.GoVersion,
		Platform: settings["GOOS"] + "/" + settings["GOARCH"],
	}
}

// This describes the program that asks.
func This() Info {
	build, ok := debug.ReadBuildInfo()
	if !ok { // not built by the Go command
		build = &debug.BuildInfo{}
	}
	info := Of(build)
	if version != "" {
		info.Version, info.Commit, info.Date, info.Modified = version, commit, date, false
	}
	return info
}

var release = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// Released reports whether this is a release, and not something between two.
func (i Info) Released() bool { return release.MatchString(i.Version) }

// Print writes the build for people.
func (i Info) Print(out io.Writer, program string) {
	known := func(s string) string { return cmp.Or(s, "unknown") }
	changed := ""
	if i.Modified {
		changed = ", and changes on top"
	}
	fmt.Fprintf(out, "%s %s\ncommit   %s%s\ndate     %s\ngo       %s\nplatform %s\n",
		program, i.Version, known(i.Commit), changed, known(i.Date), known(i.Go), known(i.Platform))
}
