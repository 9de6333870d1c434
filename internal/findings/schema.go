package findings

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/agent-corp/agent-lessons/docs"
)

// schema is the published one, so that what people check by is what the program checks by.
var schema = sync.OnceValue(func() *jsonschema.Schema {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(docs.FindingSchema))
	if err != nil {
		panic("docs/finding.schema.json: " + err.Error())
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat() // date-time
	if err := c.AddResource("finding.schema.json", document); err != nil {
		panic("docs/finding.schema.json: " + err.Error())
	}
	return c.MustCompile("finding.schema.json")
})

// validate checks a decoded record. The error is one line that names the first wrong fields.
func validate(fields map[string]any) error {
	err := schema().Validate(fields)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	var reasons []string
	collect(invalid, &reasons)
	const shown = 3
	if more := len(reasons) - shown; more > 0 {
		reasons = append(reasons[:shown], fmt.Sprintf("and %d more", more))
	}
	return errors.New(strings.Join(reasons, "; "))
}

var english = message.NewPrinter(language.English)

// collect lists the innermost causes.
func collect(e *jsonschema.ValidationError, reasons *[]string) {
	for _, cause := range e.Causes {
		collect(cause, reasons)
	}
	if len(e.Causes) > 0 {
		return
	}
	reason := e.ErrorKind.LocalizedString(english)
	if len(e.InstanceLocation) > 0 {
		reason = strings.Join(e.InstanceLocation, ".") + ": " + reason
	}
	*reasons = append(*reasons, fmt.Sprintf("%.200s", reason))
}
