package jsonlog

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
var reservedBits = bit("event") | bit("level") | bit("timestamp") | bit("logger") | bit("service") |
	bit("trace_id") | bit("span_id") | bit("tenant_id") | bit("source")

// reserved reports whether the key is the record's own at the top level.
func (h *Handler) reserved(key string) bool {
	switch key {
	case "event", "level", "timestamp", "trace_id", "span_id", "tenant_id":
		return true
	case "logger":
		return h.logger != ""
	case "service":
		return h.service != ""
	case "source":
		return h.source
	default:
		return false
	}
}
