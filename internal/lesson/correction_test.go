package lesson

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestWhatABulletCorrects(t *testing.T) {
	target := Bullet{Sentence: "Take a snapshot before compacting the lease file, otherwise a crash loses the history."}
	handle := target.Handle()
	for sentence, want := range map[string]bool{
		"Correction to " + handle + ": compact first, the file is journalled since the spring.":                      true,
		"Correction to `" + handle[:6] + "`: compact first.":                                                         true,
		"correction to \"Take a snapshot before compacting the lease file\": compact first, then take the snapshot.": true,
		"Correction to “take a snapshot before…”: compact first.":                                                    true,
		"Correction to deadbeef: compact first.":                                                                     false,
		"Correction to \"Close the reader before the file\": close the file first.":                                  false,
		"Correction to the docs: the snapshot is taken by the lease manager.":                                        false,
		"Corrections to " + handle + " are welcome.":                                                                 false,
		"See " + handle + " for the rule.":                                                                           false,
	} {
		if got := Corrects(Bullet{Sentence: sentence}, target); got != want {
			t.Errorf("%q: %v", sentence, got)
		}
	}
}

// Corrections are those that the double loop finds.
func TestCorrections(t *testing.T) {
	t.Parallel()
	sentences := []string{"Take a snapshot before compacting.", "Take a snapshot before compacting the lease.", "Pin every base image by its digest."}
	rapid.Check(t, func(t *rapid.T) {
		var bullets []Bullet
		for range rapid.IntRange(0, 12).Draw(t, "bullets") {
			target := rapid.SampledFrom(sentences).Draw(t, "target")
			bullets = append(bullets, Bullet{Sentence: rapid.SampledFrom([]string{
				target, "Correction to " + Handle(target)[:6] + ": not so.", "Correction to \"" + target[:20] + "…\": not so.",
				"Correction to \"Correction to \": not so.", "Correction to ffffffff: not so.",
			}).Draw(t, "sentence")})
		}
		var want, got [][2]int
		for i, a := range bullets {
			for j, b := range bullets {
				if i != j && Corrects(a, b) {
					want = append(want, [2]int{i, j})
				}
			}
		}
		for by, of := range Corrections(bullets) {
			got = append(got, [2]int{by, of})
		}
		slices.SortFunc(got, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		if !slices.Equal(want, got) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
