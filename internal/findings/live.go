package findings

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Set is what a store holds that counts.
type Set struct {
	Records    []Record     // live, newest first
	Superseded int          // older records of sessions that have a newer one
	Deleted    int          // tombstones
	Unreadable []Unreadable // files that are no records; they stay where they are
}

// Unreadable is a file that could not be read as what it should be.
type Unreadable struct {
	File   string `json:"file"` // slash-separated, relative to the store
	Reason string `json:"reason"`
}

// files is all that a store's files say.
type files struct {
	records    []Record
	deleted    map[string]tombstone // by id
	unreadable []Unreadable
}

// tombstone says that a finding was deleted. It repeats what the record said of its session,
// since its file is gone: with the newest record of a session the older ones are deleted.
type tombstone struct {
	ID        string    `json:"id"`
	Session   string    `json:"session_id,omitempty"`
	Timestamp time.Time `json:"timestamp"` // of the record
}

// live decides what counts: of one session the newest record, and none that has a tombstone. It
// depends on nothing but the set of files, so that the union of two stores can be made in any
// order, any number of times.
func (f files) live() Set {
	set := Set{Deleted: len(f.deleted), Unreadable: slices.Clone(f.unreadable)}
	newest := f.newest()
	for _, r := range f.records {
		_, deleted := f.deleted[r.ID]
		if superseded(r, newest) {
			set.Superseded++
		} else if !deleted {
			set.Records = append(set.Records, r)
		}
	}
	slices.SortFunc(set.Records, func(a, b Record) int { return compare(b, a) })
	slices.SortFunc(set.Unreadable, func(a, b Unreadable) int { return strings.Compare(a.File, b.File) })
	return set
}

// dead returns the records that do not count.
func (f files) dead() []Record {
	newest := f.newest()
	return slices.DeleteFunc(slices.Clone(f.records), func(r Record) bool {
		_, deleted := f.deleted[r.ID]
		return !deleted && !superseded(r, newest)
	})
}

// newest returns the newest record of each session, a deleted one too.
func (f files) newest() map[string]Record {
	newest := map[string]Record{}
	supersede := func(session string, r Record) {
		if was, ok := newest[session]; session != "" && (!ok || compare(was, r) < 0) {
			newest[session] = r
		}
	}
	for _, r := range f.records {
		supersede(r.Session(), r)
	}
	for _, t := range f.deleted {
		supersede(t.Session, Record{ID: t.ID, Timestamp: t.Timestamp})
	}
	return newest
}

func superseded(r Record, newest map[string]Record) bool {
	last, ok := newest[r.Session()]
	return ok && last.ID != r.ID
}

// index is index.json, as agent-findings has it but for the paths, which are relative here.
type index struct {
	TaskTypes map[string]int `json:"task_types"`
	Tags      map[string]int `json:"tags"`
	Findings  []indexed      `json:"findings"` // oldest first
}

type indexed struct {
	ID         string   `json:"id"`
	TaskType   string   `json:"task_type"`
	Language   string   `json:"language"`
	Tags       []string `json:"tags"`
	Confidence float64  `json:"confidence"`
	Timestamp  string   `json:"timestamp"`
	Path       string   `json:"path"`
}

// Stats are a store's numbers, meta/stats.json.
type Stats struct {
	TotalFindings int         `json:"total_findings"`
	TopTaskTypes  []TaskCount `json:"top_task_types"` // at most ten
	TopTags       []TagCount  `json:"top_tags"`       // at most ten
	LastWrite     *string     `json:"last_write"`     // the newest record's time; RFC 3339
	LastSync      *string     `json:"last_sync"`      // always null: it differs between machines
}

// TaskCount is how many findings a kind of task has.
type TaskCount struct {
	TaskType string `json:"task_type"`
	Count    int    `json:"count"`
}

// TagCount is how many findings have a tag.
type TagCount struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

const rfc3339 = "2006-01-02T15:04:05.999999999Z07:00"

func (s Set) index() index {
	x := index{TaskTypes: map[string]int{}, Tags: map[string]int{}, Findings: []indexed{}}
	for _, r := range slices.Backward(s.Records) {
		x.TaskTypes[r.TaskType]++
		for _, tag := range r.Tags {
			x.Tags[tag]++
		}
		x.Findings = append(x.Findings, indexed{
			ID: r.ID, TaskType: r.TaskType, Language: cmp.Or(r.Language, "none"), Tags: r.Tags,
			Confidence: r.Confidence, Timestamp: r.Timestamp.Format(rfc3339), Path: r.path(),
		})
	}
	return x
}

// Stats counts what is live.
func (s Set) Stats() Stats {
	x := s.index()
	stats := Stats{TotalFindings: len(s.Records), TopTaskTypes: []TaskCount{}, TopTags: []TagCount{}}
	for _, name := range top(x.TaskTypes) {
		stats.TopTaskTypes = append(stats.TopTaskTypes, TaskCount{name, x.TaskTypes[name]})
	}
	for _, name := range top(x.Tags) {
		stats.TopTags = append(stats.TopTags, TagCount{name, x.Tags[name]})
	}
	if len(s.Records) > 0 {
		newest := s.Records[0].Timestamp.Format(rfc3339)
		stats.LastWrite = &newest
	}
	return stats
}

// top returns the ten names that are counted most, by name where the count is the same.
func top(counts map[string]int) []string {
	names := make([]string, 0, len(counts))
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b)) })
	return names[:min(len(names), 10)]
}
