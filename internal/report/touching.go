package report

import (
	"slices"

	"github.com/agent-corp/agent-lessons/internal/lesson"
)

// Touching returns the active bullets that speak of one of the files.
func Touching(bullets []lesson.Bullet, files []string) []lesson.Bullet {
	return slices.DeleteFunc(slices.Clone(bullets), func(b lesson.Bullet) bool {
		return !b.Active() || len(lesson.FilesNamed(b.Sentence, files)) == 0
	})
}
