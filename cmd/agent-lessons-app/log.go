package main

import (
	"context"
	"log/slog"

	"github.com/rs/zerolog"
)

// slogHandler writes slog records, which River speaks, as the zerolog lines of everything else.
type slogHandler struct{ log zerolog.Logger }

func slogTo(log zerolog.Logger) slog.Handler { return slogHandler{log} }

// levels says how much less River's own messages matter than those of the product.
var levels = map[slog.Level]zerolog.Level{
	slog.LevelDebug: zerolog.TraceLevel,
	slog.LevelInfo:  zerolog.DebugLevel,
	slog.LevelWarn:  zerolog.WarnLevel,
	slog.LevelError: zerolog.ErrorLevel,
}

// Enabled reports whether records of the level are written.
func (h slogHandler) Enabled(_ context.Context, level slog.Level) bool {
	return levels[level] >= h.log.GetLevel()
}

// Handle writes one record.
func (h slogHandler) Handle(_ context.Context, r slog.Record) error {
	event := h.log.WithLevel(levels[r.Level])
	r.Attrs(func(a slog.Attr) bool {
		event = event.Any(a.Key, a.Value.Any())
		return true
	})
	event.Msg(r.Message)
	return nil
}

// WithAttrs adds attributes to all records.
func (h slogHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	context := h.log.With()
	for _, a := range attrs {
		context = context.Any(a.Key, a.Value.Any())
	}
	return slogHandler{context.Logger()}
}

// WithGroup is not needed by River's messages: their keys stay flat.
func (h slogHandler) WithGroup(string) slog.Handler { return h }
