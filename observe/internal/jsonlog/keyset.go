package jsonlog

import "github.com/warrenmq/warren/observe/internal/logkey"

// A keySet is the keys of one object. Most keys differ already in the bit that
// stands for them, so most need no comparison.
type keySet struct {
	mask uint64
	keys []string
}

func bit(key string) uint64 {
	if key == "" {
		return 1
	}
	return 1 << ((uint(len(key))*7 + uint(key[0])*3 + uint(key[len(key)-1])) & 63)
}

// with returns a set with the key; s keeps its own.
func (s keySet) with(key string) keySet {
	return keySet{s.mask | bit(key), append(s.keys, key)}
}

func (s keySet) clip() keySet { return keySet{s.mask, s.keys[:len(s.keys):len(s.keys)]} }

// reservedBits are the bits of the keys that a record has of its own.
var reservedBits = bit(logkey.Event) | bit(logkey.Level) | bit(logkey.Timestamp) | bit(logkey.Logger) | bit(logkey.Service) |
	bit(logkey.TraceID) | bit(logkey.SpanID) | bit(logkey.TenantID) | bit(logkey.Source)

// reserved reports whether the key is the record's own at the top level.
func (h *Handler) reserved(key string) bool {
	switch key {
	case logkey.Event, logkey.Level, logkey.Timestamp, logkey.TraceID, logkey.SpanID, logkey.TenantID:
		return true
	case logkey.Logger:
		return h.logger != ""
	case logkey.Service:
		return h.service != ""
	case logkey.Source:
		return h.source
	default:
		return false
	}
}
