package cifix

import (
	"regexp"
	"slices"
)

// infrastructure matches what machines and networks say when they, and not the code, fail.
var infrastructure = regexp.MustCompile(`(?i)` +
	`\b(?:ETIMEDOUT|ECONNRESET|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|EPIPE|ENOSPC)\b` +
	`|connection (?:reset|refused|timed out|closed by)|i/o timeout|TLS handshake timeout|network is unreachable` +
	`|no route to host|could not resolve (?:host|proxy)|temporary failure in name resolution|no such host\b` +
	`|context deadline exceeded|(?:read|request|operation|connection|gateway)[ -]timed? ?out|timed out (?:after|waiting|while|fetching)` +
	`|\b50[234] (?:bad gateway|service unavailable|gateway time-?out)|unexpected status code 5\d\d|returned error: (?:429|5\d\d)` +
	`|too ?many ?requests|rate limit|no space left on device|out of memory|oomkilled|cannot allocate memory` +
	`|exit code 137|signal: killed|lost communication with the server|received a shutdown signal` +
	`|the operation was cancell?ed|the hosted runner|self-hosted runner|the runner has|runner .{0,40}offline` +
	`|exceeded the maximum execution time|test timed out after|panic: test timed out|timeout-minutes` +
	`|failed to (?:download|fetch|pull|clone|save cache|restore cache)|error response from daemon|an unexpected error occurred: "https?:`)

// noise matches annotations that say nothing of the code.
var noise = regexp.MustCompile(`(?i)^(?:process completed with exit code|the process '.*' failed with exit code` +
	`|.{0,40}node(?:\.js)? ?\d+ actions are deprecated|the following actions|the ubuntu-\S+ |.*-latest pipelines` +
	`|unable to find|no files were found|cache |this job was|canceling since|agent-lessons: )`)

// infrastructure reports whether the failure tells of a machine's or a network's trouble anywhere:
// then it says nothing certain of the code.
func (f Failure) infrastructure() bool {
	texts := []string{f.Title, f.Summary, f.Text}
	for _, a := range f.Annotations {
		texts = append(texts, a.Title, a.Message)
	}
	return slices.ContainsFunc(texts, infrastructure.MatchString)
}

// remarks are the annotations that may say something, those on files that the fix touched first.
func (f Failure) remarks() []Annotation {
	var touched, others []Annotation
	for _, a := range f.Annotations {
		if a.Level == "notice" || noise.MatchString(a.Message) {
			continue
		}
		if slices.Contains(f.Touched, a.Path) {
			touched = append(touched, a)
		} else {
			others = append(others, a)
		}
	}
	return append(touched, others...)
}
