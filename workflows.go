// Package agentlessons holds what the repository runs on itself and gives to others.
package agentlessons

import _ "embed" // the workflows

// The workflows of this repository. Package scaffold makes of them what another repository runs.
var (
	//go:embed .github/workflows/metrics.yml
	MetricsWorkflow string
	//go:embed .github/workflows/sweep.yml
	SweepWorkflow string
	//go:embed .github/workflows/no-server.yml
	NoServerWorkflow string
)
