// Package findings keeps what agents learned in their sessions as JSON records, one file each,
// in the format and the layout of agent-findings (docs/findings.md): a folder of any number of
// repositories, for one person or shared by git.
//
//	findings/TASK-TYPE/ID.json   a record; never edited, and its id never used again
//	deleted/ID.json              a tombstone
//	index.json, meta/stats.json  derived: equal for equal sets of records, byte for byte
//
// Two stores are merged by the union of their files. What counts is decided at reading: of one
// session the newest record, and none that has a tombstone.
package findings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Version is the schema version of the records that are written.
const Version = "1.0"

// Floor is the confidence below which nothing is written or shown (agent-findings' rule).
const Floor = 0.5

// maxRecord is the most bytes that a record may have.
const maxRecord = 64 << 10

// Record is a finding. docs/finding.schema.json is generated from it.
type Record struct {
	SchemaVersion       string    `json:"schema_version" jsonschema:"description=1.x; a newer minor version may have more fields,pattern=^1(\\.\\d+){0\\,2}$"`
	ID                  string    `json:"id" jsonschema:"description=the file's name without .json; random; used once,pattern=^[A-Za-z0-9][A-Za-z0-9-]{0\\,63}$"`
	TaskType            string    `json:"task_type" jsonschema:"required,description=the kind of task\\, in kebab-case; the file's folder,maxLength=64,pattern=^[a-z0-9]+(-[a-z0-9]+)*$"`
	Language            string    `json:"language,omitempty" jsonschema:"description=the main language of the task; none or multiple,maxLength=64"`
	WhatWorked          string    `json:"what_worked" jsonschema:"required,description=what solved it\\, for another agent to act on,maxLength=8192"`
	WhatFailed          string    `json:"what_failed" jsonschema:"required,description=dead ends; empty for none,maxLength=8192"`
	BetterExitCondition string    `json:"better_exit_condition" jsonschema:"required,description=the sign that should have ended the work sooner; empty for none,maxLength=8192"`
	Tags                []string  `json:"tags" jsonschema:"required,description=what it is found by\\, in kebab-case,maxItems=16"`
	Confidence          float64   `json:"confidence" jsonschema:"required,description=how sure and how general it is; below 0.5 nothing is written,minimum=0,maximum=1"`
	Timestamp           time.Time `json:"timestamp" jsonschema:"description=when it was written"`
	Source              *Source   `json:"source,omitempty" jsonschema:"description=where it comes from; may have more fields"`
}

// Source is where a finding comes from.
type Source struct {
	Agent      string `json:"agent,omitempty" jsonschema:"description=claude-code\\, codex\\, …"`
	SessionID  string `json:"session_id,omitempty" jsonschema:"description=of one session only the newest finding counts"`
	Repository string `json:"repository,omitempty" jsonschema:"description=host/owner/name"`
	CWD        string `json:"cwd,omitempty" jsonschema:"description=the working folder"`
}

// Session returns the id of the record's session, "" when it has none.
func (r Record) Session() string {
	if r.Source == nil {
		return ""
	}
	return r.Source.SessionID
}

// path returns where the record's file is in its store, slash-separated.
func (r Record) path() string { return recordsDir + "/" + r.TaskType + "/" + r.ID + ".json" }

// compare orders records by time, then by id.
func compare(a, b Record) int {
	return cmp.Or(a.Timestamp.Compare(b.Timestamp), strings.Compare(a.ID, b.ID))
}

// Draft reads a finding that a person or a model wrote: the seven fields are enough. Names are
// brought into kebab-case, and id, time and version are filled in by Store.Add. The error says
// what is wrong in which field.
func Draft(src []byte) (Record, error) {
	var r Record
	src = bytes.TrimSpace(src)
	if len(src) > maxRecord {
		return r, fmt.Errorf("it is larger than %d bytes", maxRecord)
	}
	var fields map[string]any
	if err := json.Unmarshal(src, &fields); err != nil {
		return r, fmt.Errorf("it is no JSON object: %w", err)
	}
	if err := normalise(fields); err != nil {
		return r, err
	}
	return r, decodeFields(fields, &r)
}

// normalise brings names into the form that the schema asks for. A task type becomes a folder:
// one that would lead elsewhere was meant to, and is refused.
func normalise(fields map[string]any) error {
	for _, name := range []string{"task_type", "language"} {
		text, ok := fields[name].(string)
		if !ok {
			continue
		}
		if name == "task_type" && (strings.ContainsAny(text, `/\:`) || strings.Contains(text, "..")) {
			return fmt.Errorf("task_type: %q names a path, not a kind of task", text)
		}
		fields[name] = kebab(text)
	}
	if fields["task_type"] == "" {
		fields["task_type"] = "general"
	}
	if tags, ok := fields["tags"].([]any); ok {
		fields["tags"] = kebabs(tags)
	}
	return nil
}

// kebabs returns the tags in kebab-case, sorted, each once. What is no text is left for the
// schema to refuse.
func kebabs(tags []any) []any {
	out := []any{}
	for _, tag := range tags {
		text, ok := tag.(string)
		if !ok {
			return tags
		}
		if text = kebab(text); text != "" && !slices.Contains(out, any(text)) {
			out = append(out, text)
		}
	}
	slices.SortFunc(out, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return out
}

var notKebab = regexp.MustCompile(`[^a-z0-9]+`)

func kebab(s string) string {
	return strings.Trim(notKebab.ReplaceAllString(strings.ToLower(s), "-"), "-")
}

// decodeFields checks a record by the schema and decodes it.
func decodeFields(fields map[string]any, r *Record) error {
	if version, ok := fields["schema_version"].(string); ok && version != "" && !strings.HasPrefix(version, "1") {
		return fmt.Errorf("schema_version: %q is not known here: is there a newer agent-lessons?", version)
	}
	if err := validate(fields); err != nil {
		return err
	}
	src, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(src, r); err != nil {
		return err
	}
	r.Timestamp = r.Timestamp.UTC()
	return nil
}

// parse reads a record's file. What the file's fields leave out, its name tells; a time that is
// left out is the oldest. The result depends on nothing else, so it is the same on every machine.
func parse(taskType, id string, src []byte) (Record, error) {
	var fields map[string]any
	if err := json.Unmarshal(src, &fields); err != nil {
		return Record{}, fmt.Errorf("it is no JSON object: %w", err)
	}
	r := Record{SchemaVersion: Version, ID: id}
	if err := decodeFields(fields, &r); err != nil {
		return r, err
	}
	switch {
	case r.ID != id:
		return r, errors.New("id: it is not the file's name")
	case r.TaskType != taskType:
		return r, errors.New("task_type: it is not the file's folder")
	}
	return r, nil
}

// marshal returns the record as its file holds it.
func (r Record) marshal() ([]byte, error) { return pretty(r) }

func pretty(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
