package ledger

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrace(t *testing.T) {
	t.Parallel()
	commits := []Commit{ // newest first
		{SHA: "6", Message: "a person's edit"},
		{SHA: "5", Message: "lessons: 1 overridden (PR #41)\n\nReview 9 of PR #41 was merged over.\n\nLessons-Source: merge-over PR #41 review 9\nLessons-Bullet: cccccccc overridden\n"},
		{SHA: "4", Message: "lessons: 1 merged (sweep)\n\nLessons-Source: sweep\nLessons-Bullet: bbbbbbbb renamed to cccccccc\nLessons-Bullet: dddddddd merged to cccccccc\n"},
		{SHA: "3", Message: "squashed\n\nLessons-Source: changes-requested PR #7 review 1\nLessons-Bullet: eeeeeeee appended\nLessons-Source: changes-requested PR #8 review 2\nLessons-Bullet: bbbbbbbb refreshed from PR #1 2026-01-01\n"},
		{SHA: "2", Message: "lessons: 1 appended\n\nLessons-Source: changes-requested PR #2 review 4\nLessons-Bullet: dddddddd appended\n"},
		{SHA: "1", Message: "lessons: 1 appended\n\nDistilled from a review by 'mara' of PR #1.\n\nLessons-Source: changes-requested PR #1 review 3\nLessons-Bullet: bbbbbbbb appended\n"},
	}
	for handle, want := range map[string][]string{
		"cccccccc": {"1 appended PR #1", "2 appended PR #2", "3 refreshed PR #8", "4 renamed ", "4 merged ", "5 overridden PR #41"},
		"dddddddd": {"2 appended PR #2", "4 merged "},
		"eeeeeeee": {"3 appended PR #7"},
		"ffffffff": nil,
	} {
		var got []string
		steps := Trace(commits, handle)
		for _, s := range steps {
			got = append(got, s.SHA+" "+s.What+" "+s.Source.PR.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", handle, diff)
		}
	}
	if says := Trace(commits, "bbbbbbbb")[0].Says; len(says) != 1 || says[0] != "Distilled from a review by 'mara' of PR #1." {
		t.Errorf("says %q", says)
	}
}
