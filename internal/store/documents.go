package store

import (
	"bytes"
	"errors"
	"fmt"
)

// Documents are files beside the lessons file that show its content, and are rendered afresh by
// each write of it: several files are one commit all the same (design decision 3). A document
// that cannot be rendered stays as it is and costs no lesson: the Commit's Notices say why.
type Documents struct {
	Paths []string // slash-separated, relative to the repository
	// Render returns the document as it should be beside this content of the lessons file.
	Render func(lessons, document []byte) ([]byte, error)
}

var errMissingDocument = errors.New("it does not exist")

// render returns document beside the new content of the lessons file, or nil where nothing changes.
func (d Documents) render(path string, lessons, document []byte) ([]byte, error) {
	after, err := d.Render(lessons, document)
	switch {
	case err != nil:
		return nil, err
	case len(after) >= MaxBytes:
		return nil, tooLarge(path)
	case bytes.Equal(document, after):
		return nil, nil
	}
	return after, nil
}

// notice says why a document was not kept in step.
func notice(path string, err error) string {
	if errors.As(err, new(*RefusedError)) {
		return err.Error() // names the path itself
	}
	return fmt.Sprintf("%s: %s", path, err)
}
