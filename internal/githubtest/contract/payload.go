package contract

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const hooksURL = "urn:github:webhooks"

// hooks compiles schemas on demand, one at a time: the compiler is not safe for
// several goroutines.
var hooks struct {
	sync.Mutex
	*jsonschema.Compiler
}

// Payload checks the JSON of a webhook against GitHub's schema of its event and
// action; the action is empty for events that have none.
func Payload(event, action string, payload []byte) error {
	hooks.Lock()
	defer hooks.Unlock()
	if hooks.Compiler == nil {
		data, err := description("webhooks.json.gz")
		if err != nil {
			return err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			return fmt.Errorf("GitHub's schemas: %w", err)
		}
		hooks.Compiler = jsonschema.NewCompiler()
		hooks.AssertFormat()
		// The library does not know templates like {/name}, which GitHub's are.
		hooks.RegisterFormat(&jsonschema.Format{Name: "uri-template", Validate: func(any) error { return nil }})
		if err := hooks.AddResource(hooksURL, doc); err != nil {
			return err
		}
	}
	if action == "" {
		action = "event"
	}
	schema, err := hooks.Compile(hooksURL + "#/definitions/" + event + "$" + action)
	if err != nil {
		return &noSchema{err}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// noSchema says that an event is none of those that the stand-in sends.
type noSchema struct{ error }

func (e *noSchema) Error() string { return "no schema: " + e.error.Error() }
