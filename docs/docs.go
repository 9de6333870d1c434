// Package docs holds the documentation, and of it what the programs themselves go by.
package docs

import _ "embed" // the schema

// FindingSchema is the JSON schema of a finding; a test of package findings keeps it true.
//
//go:embed finding.schema.json
var FindingSchema []byte
