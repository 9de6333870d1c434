package lesson

import "testing"

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
