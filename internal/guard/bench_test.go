package guard

import "testing"

func BenchmarkCheck(b *testing.B) {
	const s = "Never approve a pull request while any CI check is still pending: wait for all jobs of `ci.yml` to conclude."
	Check(s)
	for b.Loop() {
		Check(s)
	}
}

func BenchmarkCheckLong(b *testing.B) {
	const s = "Generate the client from `api/schema.graphql` with the pinned generator, commit the result beside the schema, and let the pipeline compare both, so that a field that somebody renames by hand never reaches a release without its migration."
	Check(s)
	for b.Loop() {
		Check(s)
	}
}
