package githubtest_test

import (
	"testing"

	"github.com/google/go-github/v66/github"
)

// What a reading and a writing cost with the stand-in, the contract's checks
// included: the product's own figures stand upon it.
func BenchmarkReadAndWrite(b *testing.B) {
	w := newWorld(b, map[string]string{lessons: "one\n"})
	for b.Loop() {
		file, _, _, err := w.inst.Repositories.GetContents(ctx, "acme", "api", lessons, nil)
		check(b, err)
		_, _, err = w.inst.Repositories.UpdateFile(ctx, "acme", "api", lessons, &github.RepositoryContentFileOptions{
			Message: github.String("Learn"), Content: []byte("two\n"), SHA: file.SHA,
		})
		check(b, err)
	}
}
