package app

import (
	"errors"
	"io"
	"sync/atomic"
)

// maxInFlight bounds the bytes of all deliveries that are being read or stored: who connects often
// enough could fill the memory before any signature can be checked.
const maxInFlight = 256 << 20

var errInFlight = errors.New("too many deliveries arrive at once")

// inFlight counts the bytes of deliveries in memory.
type inFlight struct{ bytes atomic.Int64 }

// read reads a delivery, as long as all of them are within maxInFlight; done, which is never nil, gives
// its bytes back.
func (f *inFlight) read(from io.Reader) (body []byte, done func(), err error) {
	counted := &countedReader{from, f, 0}
	body, err = io.ReadAll(counted)
	return body, func() { f.bytes.Add(-counted.n) }, err
}

type countedReader struct {
	io.Reader
	all *inFlight
	n   int64
}

// Read returns errInFlight when there is no room for more.
func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.n += int64(n)
	if r.all.bytes.Add(int64(n)) > maxInFlight {
		return n, errInFlight
	}
	return n, err
}
