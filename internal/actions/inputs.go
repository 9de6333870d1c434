package actions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

// What a run does. Auto leaves it to the event.
const (
	auto     = "auto"
	metrics  = "metrics"
	learn    = "learn"
	override = "override"
	sweep    = "sweep"
	reply    = "reply" // to a command; not an input
	quiet    = "quiet" // nothing at all; not an input
)

// When the metrics comment is written, besides auto.
const (
	always = "always"
	never  = "never"
)

// maxCatchUp bounds the days that a run looks back: its commits are read as far.
const maxCatchUp = 365

// inputs are what action.yml passes on as INPUT_* variables.
type inputs struct {
	mode        string
	comment     string
	failAbove   float64 // share of duplicates, 0 to 1; negative: never fail
	token       string
	catchUpDays int // days that a scheduled run looks back for what no earlier run could write
}

func readInputs(a *githubactions.Action) (inputs, error) {
	in := inputs{mode: auto, comment: auto, failAbove: -1, token: a.GetInput("token"), catchUpDays: 14}
	for _, choice := range []struct {
		name string
		to   *string
		of   []string
	}{
		{"mode", &in.mode, []string{auto, metrics, learn, override, sweep}},
		{"comment", &in.comment, []string{auto, always, never}},
	} {
		value := strings.ToLower(a.GetInput(choice.name))
		if value == "" {
			continue
		}
		if !slices.Contains(choice.of, value) {
			return in, fmt.Errorf("input %s: %q is none of %s", choice.name, value, strings.Join(choice.of, ", "))
		}
		*choice.to = value
	}
	if value := a.GetInput("fail_above_share"); value != "" {
		share, err := strconv.ParseFloat(value, 64)
		if err != nil || !(share >= 0 && share <= 1) {
			return in, fmt.Errorf("input fail-above-share: %q is not a share from 0 to 1, such as 0.1", value)
		}
		in.failAbove = share
	}
	if value := a.GetInput("catch_up_days"); value != "" {
		days, err := strconv.Atoi(value)
		if err != nil || days < 0 || days > maxCatchUp {
			return in, fmt.Errorf("input catch-up-days: %q is not a number of days from 0 to %d", value, maxCatchUp)
		}
		in.catchUpDays = days
	}
	if in.token == "" {
		return in, fmt.Errorf("input token is empty: leave it out for the workflow's own token")
	}
	return in, nil
}
