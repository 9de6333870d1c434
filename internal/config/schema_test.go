package config

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"
)

var update = flag.Bool("update", false, "rewrite the generated schema")

const schemaFile = "../../docs/config.schema.json"

// The schema that editors complete and check by is generated from the type that parses.
func TestSchemaIsCurrent(t *testing.T) {
	t.Parallel()
	reflector := jsonschema.Reflector{FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, DoNotReference: true}
	schema := reflector.Reflect(Config{})
	schema.ID = ""
	schema.Title = Path
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
		t.Errorf("docs/config.schema.json is out of date: run with -update\n%s", diff)
	}
}
