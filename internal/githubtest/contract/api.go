package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

// api is GitHub's description of its REST API.
type api struct{ doc *openapi3.T }

var loadAPI = sync.OnceValues(func() (api, error) {
	data, err := description("openapi.json.gz")
	if err != nil {
		return api{}, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return api{}, fmt.Errorf("GitHub's description: %w", err)
	}
	return api{doc}, nil
})

// exchange checks a request and its answer. The stand-in's own routes are the
// description's paths, so none has to be searched for. The answers of faults are
// not checked: they are meant to be wrong.
func (a api) exchange(ctx context.Context, ex githubtest.Exchange) error {
	method, path, _ := strings.Cut(ex.Route, " ")
	item := a.doc.Paths.Value(path)
	if item == nil || item.GetOperation(method) == nil {
		return fmt.Errorf("the stand-in has no such route")
	}
	req := ex.Request.Clone(ctx)
	body := ex.RequestBody
	if string(bytes.TrimSpace(body)) == "null" {
		body = nil // ghinstallation asks for tokens like this, and GitHub takes it for no body
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	params := maps.Clone(ex.Params)
	if path, has := params["path"]; has && path == "" {
		params["path"] = "/" // the root folder, which the description leaves out
	}
	input := &openapi3filter.RequestValidationInput{
		Request:    req,
		PathParams: params,
		Route: &routers.Route{
			Spec: a.doc, Path: path, PathItem: item, Method: method, Operation: item.GetOperation(method),
		},
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, // the stand-in checks it itself
			MultiError:         true,
		},
	}
	// A request that is refused may well be wrong: tests ask for that.
	if ex.Status < http.StatusBadRequest || ex.Fault {
		if err := openapi3filter.ValidateRequest(ctx, input); err != nil {
			return fmt.Errorf("request: %w", brief(err))
		}
	}
	if ex.Fault || ex.Status == http.StatusNotModified {
		return nil
	}
	if err := a.answer(ctx, input, ex); err != nil {
		return fmt.Errorf("answer: %w", brief(err))
	}
	return nil
}

func (a api) answer(ctx context.Context, input *openapi3filter.RequestValidationInput, ex githubtest.Exchange) error {
	described := input.Route.Operation.Responses.Status(ex.Status)
	if described == nil {
		if ex.Status < http.StatusMultipleChoices {
			return fmt.Errorf("status %d is not described", ex.Status)
		}
		return a.plainError(ex.Body)
	}
	media, _, _ := mime.ParseMediaType(ex.Header.Get("Content-Type"))
	if strings.HasPrefix(media, "application/vnd.github.raw") {
		return nil // the bytes of a file
	}
	return openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input,
		Status:                 ex.Status,
		Header:                 ex.Header,
		Body:                   io.NopCloser(bytes.NewReader(ex.Body)),
		Options:                input.Options,
	})
}

// plainError checks an error that the operation does not mention, as it does not
// mention most of 401 and 403: all have one form.
func (a api) plainError(body []byte) error {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return err
	}
	return a.doc.Components.Schemas["basic-error"].Value.VisitJSON(v, openapi3.MultiErrors())
}

// brief leaves out the schemas that the validator's errors quote in full.
func brief(err error) error {
	var keep []string
	for line := range strings.Lines(err.Error()) {
		if strings.HasPrefix(line, "Schema:") {
			break
		}
		keep = append(keep, line)
	}
	return fmt.Errorf("%s", strings.TrimSpace(strings.Join(keep, "")))
}
