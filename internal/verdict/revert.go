package verdict

import (
	"regexp"
	"strconv"
)

var (
	revertBranch = regexp.MustCompile(`^revert-([1-9]\d*)-(.+)$`)
	revertTitle  = regexp.MustCompile(`^Revert "(.+)"$`)
	revertBody   = regexp.MustCompile(`(?m)^Reverts (?:[\w.-]+/[\w.-]+)?#([1-9]\d*)\s*$`)
)

// Reverted returns the number of the pull request that another one takes back, 0 for none. It goes
// by GitHub's own branch (revert-12-topic), else by GitHub's own title together with its body
// (Revert "Topic", Reverts #12), each to the letter. The revert of a revert takes nothing back.
func Reverted(branch, title, body string) int {
	number, depth := "", 0
	for m := revertBranch.FindStringSubmatch(branch); m != nil; m = revertBranch.FindStringSubmatch(branch) {
		number, branch = m[1], m[2]
		depth++
	}
	if depth == 0 {
		m := revertBody.FindStringSubmatch(body)
		if m == nil {
			return 0
		}
		number = m[1]
		for t := revertTitle.FindStringSubmatch(title); t != nil; t = revertTitle.FindStringSubmatch(t[1]) {
			depth++
		}
	}
	n, err := strconv.Atoi(number)
	if err != nil || depth%2 == 0 {
		return 0
	}
	return n
}
