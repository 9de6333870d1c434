// Command reduce cuts GitHub's descriptions down to what the stand-in has: of
// the OpenAPI document the operations of githubtest.Routes, of the webhook
// schemas the events that it sends, each with the schemas that they refer to and
// without prose and examples. The whole document takes seconds to load.
//
//	npm install --prefix npm && go generate ./internal/githubtest/contract
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-corp/agent-lessons/internal/githubtest"
)

type object = map[string]any

// events are those that githubtest builds.
var events = []string{
	"check_run", "installation", "installation_repositories", "issue_comment", "ping",
	"pull_request", "pull_request_review", "pull_request_review_comment", "push", "repository",
}

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: reduce NODE_MODULES OUTPUT_DIR")
	}
	if err := reduce(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

// reduce reads both descriptions below modules and writes them reduced to out.
func reduce(modules, out string) error {
	api, err := load(filepath.Join(modules, "@octokit/openapi/generated/api.github.com.json"))
	if err != nil {
		return err
	}
	small, err := reduceAPI(api)
	if err != nil {
		return err
	}
	hooks, err := load(filepath.Join(modules, "@octokit/webhooks-schemas/schema.json"))
	if err != nil {
		return err
	}
	return errors.Join(
		save(filepath.Join(out, "openapi.json.gz"), small),
		save(filepath.Join(out, "webhooks.json.gz"), reduceHooks(hooks)),
	)
}

func reduceAPI(doc object) (object, error) {
	paths := object{}
	for _, name := range githubtest.Routes() {
		method, path, _ := strings.Cut(name, " ")
		item, _ := doc["paths"].(object)[path].(object)
		operation, _ := item[strings.ToLower(method)].(object)
		if operation == nil {
			return nil, fmt.Errorf("GitHub's description has no %s", name)
		}
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path].(object)[strings.ToLower(method)] = operation
	}
	kept := object{"openapi": doc["openapi"], "info": object{"title": "GitHub", "version": doc["info"].(object)["version"]}, "paths": paths}
	components := object{}
	// The form of errors of which an operation says nothing.
	follow(doc, object{"$ref": "#/components/schemas/basic-error"}, components)
	follow(doc, paths, components)
	kept["components"] = components["components"]
	return strip(kept, false).(object), nil
}

func reduceHooks(doc object) object {
	kept := object{"$schema": doc["$schema"]}
	for name := range doc["definitions"].(object) {
		event, _, isEvent := strings.Cut(name, "$")
		if isEvent && slices.Contains(events, event) {
			follow(doc, object{"$ref": "#/definitions/" + name}, kept)
		}
	}
	loosen(kept)
	return strip(kept, false).(object)
}

// loosen lets every user be null: the webhook schemas are older than the OpenAPI
// description, which says so of accounts that are gone.
func loosen(node any) {
	switch node := node.(type) {
	case []any:
		for _, v := range node {
			loosen(v)
		}
	case object:
		if user, _ := node["user"].(object); user != nil && user["$ref"] == "#/definitions/user" {
			node["user"] = object{"anyOf": []any{user, object{"type": "null"}}}
		}
		for _, v := range node {
			loosen(v)
		}
	}
}

// follow copies all that node refers to from doc to kept.
func follow(doc object, node any, kept object) {
	switch node := node.(type) {
	case []any:
		for _, v := range node {
			follow(doc, v, kept)
		}
	case object:
		for key, v := range node {
			ref, isRef := v.(string)
			if key != "$ref" || !isRef {
				follow(doc, v, kept)
				continue
			}
			from, to := doc, kept
			steps := strings.Split(strings.TrimPrefix(ref, "#/"), "/")
			for _, step := range steps[:len(steps)-1] {
				from = from[step].(object)
				if to[step] == nil {
					to[step] = object{}
				}
				to = to[step].(object)
			}
			last := steps[len(steps)-1]
			if to[last] == nil {
				to[last] = from[last]
				follow(doc, from[last], kept)
			}
		}
	}
}

// prose are the keys that no check reads; byName are those under which the keys
// are names, and so no prose whatever they are called.
var (
	prose  = []string{"description", "summary", "example", "examples", "externalDocs", "tags", "x-github", "links"}
	byName = []string{"properties", "definitions", "schemas", "responses", "parameters", "headers", "content", "paths"}
)

func strip(node any, names bool) any {
	switch node := node.(type) {
	case []any:
		for i, v := range node {
			node[i] = strip(v, false)
		}
	case object:
		for key, v := range node {
			if !names && slices.Contains(prose, key) {
				if key == "description" && isResponse(node) {
					node[key] = "" // OpenAPI demands it of responses
				} else {
					delete(node, key)
				}
				continue
			}
			node[key] = strip(v, !names && slices.Contains(byName, key))
			// Many of the API's alternatives overlap: an error that fits two of
			// them is none the worse for it. And in its list of installations an
			// account has to be a user and an enterprise at once.
			if !names && (key == "oneOf" || key == "allOf" && isUserOrEnterprise(node[key])) {
				node["anyOf"] = node[key]
				delete(node, key)
			}
		}
	}
	return node
}

func isUserOrEnterprise(alternatives any) bool {
	list, _ := alternatives.([]any)
	if len(list) != 2 {
		return false
	}
	first, _ := list[0].(object)
	second, _ := list[1].(object)
	return first["title"] == "Simple User" && second["title"] == "Enterprise"
}

// isResponse tells a response, which is no schema and no parameter, by what it lacks.
func isResponse(node object) bool {
	for _, key := range []string{"type", "schema", "$ref", "oneOf", "anyOf", "allOf", "in", "properties", "operationId", "title", "enum"} {
		if _, has := node[key]; has {
			return false
		}
	}
	return true
}

func load(path string) (object, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var doc object
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return doc, nil
}

// save writes the document compressed; the same document gives the same bytes.
func save(path string, doc object) error {
	data, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	zip, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zip.Write(data); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, buf.Bytes(), 0o644)
}
