package findings

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
)

var update = flag.Bool("update", false, "rewrite the generated schema")

const schemaFile = "../../docs/finding.schema.json"

// The schema that records are checked by is generated from the type that holds them.
func TestSchemaIsCurrent(t *testing.T) {
	reflector := jsonschema.Reflector{RequiredFromJSONSchemaTags: true, DoNotReference: true, AllowAdditionalProperties: true}
	schema := reflector.Reflect(Record{})
	schema.ID = ""
	schema.Title = "finding"
	tags, _ := schema.Properties.Get("tags")
	task, _ := schema.Properties.Get("task_type")
	tags.Items.Pattern, tags.Items.MaxLength = task.Pattern, task.MaxLength
	got, err := json.MarshalIndent(schema, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(schemaFile, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("docs/finding.schema.json is out of date: run with -update\n%s", diff)
	}
}
