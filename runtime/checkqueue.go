package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// check returns the field of a queue that isn't valid, and why. It knows what the
// server refuses of fields; of Arguments it knows only what contradicts them.
func (q *Queue) check() (field, fault string) {
	for _, find := range []func() (field, fault string){q.checkInstance, q.checkType, q.checkRanges, q.checkOptions} {
		if field, fault := find(); fault != "" {
			return field, fault
		}
	}
	return "", ""
}

func (q *Queue) checkInstance() (field, fault string) {
	switch {
	case !q.PerInstance:
		return "", ""
	case q.Durable:
		return "PerInstance", "is set beside Durable, and such a queue ends with its connection: remove one of the two"
	case len(q.Name)+1+instanceName > maxName:
		return "Name", fmt.Sprintf("has %d bytes, and with that of the instance more than the %d that AMQP allows: shorten it", len(q.Name), maxName)
	default:
		return "", ""
	}
}

// instanceName is the length of an instance's name at most.
const instanceName = 26

// checkType checks what RabbitMQ wants of a replicated queue.
func (q *Queue) checkType() (field, fault string) {
	if q.Type != Quorum && q.Type != Stream {
		return "", ""
	}
	for _, option := range []struct {
		field  string
		wrong  bool
		remedy string
	}{
		{"Durable", !q.Durable, "set it"},
		{"PerInstance", q.PerInstance, "leave Type empty"},
		{"Exclusive", q.Exclusive, "leave Type empty, or remove it"},
		{"AutoDelete", q.AutoDelete, "leave Type empty, or set Expires"},
	} {
		if option.wrong {
			return option.field, fmt.Sprintf("isn't what a %s queue has, which is always durable, shared and kept: %s", q.Type, option.remedy)
		}
	}
	return "", ""
}

func (q *Queue) checkRanges() (field, fault string) {
	for _, limit := range []struct {
		field string
		value time.Duration
		unit  time.Duration
		most  time.Duration
	}{
		{"MessageTTL", q.MessageTTL, time.Millisecond, maxQueueDelay},
		{"Expires", q.Expires, time.Millisecond, maxQueueDelay},
		{"MaxAge", q.MaxAge, time.Second, 1<<63 - 1},
	} {
		if limit.value < 0 || limit.value%limit.unit != 0 || limit.value > limit.most {
			return limit.field, fmt.Sprintf("is %v: it has to be a multiple of %v, and at most %v; 0 means no limit", limit.value, limit.unit, limit.most)
		}
	}
	for _, limit := range []struct {
		field string
		value int64
		least int64
	}{
		{"MaxLength", q.MaxLength, 0},
		{"MaxLengthBytes", q.MaxLengthBytes, 0},
		{"DeliveryLimit", int64(q.DeliveryLimit), -1},
		{"Replicas", int64(q.Replicas), 0},
		{"SegmentBytes", q.SegmentBytes, 0},
	} {
		if limit.value < limit.least {
			return limit.field, fmt.Sprintf("is %d, and %d is the least", limit.value, limit.least)
		}
	}
	if overflows := []Overflow{"", DropHead, RejectPublish, RejectPublishDeadLetter}; !slices.Contains(overflows, q.Overflow) {
		return "Overflow", fmt.Sprintf("is %q: use runtime.DropHead, RejectPublish or RejectPublishDeadLetter", q.Overflow)
	}
	return "", ""
}

// checkOptions checks whether the queue's type has the fields that are given, and
// that Arguments don't say something else.
func (q *Queue) checkOptions() (field, fault string) {
	for _, option := range q.options() {
		if !option.given {
			continue
		}
		if said, given := q.Arguments[option.argument]; given && !sameField(said, option.value) {
			return option.field, fmt.Sprintf("is %v, and Arguments say %s=%v: say it once", option.value, option.argument, said)
		}
		if isOwn := q.Type != "" && !slices.Contains([]QueueType{Classic, Quorum, Stream}, q.Type); isOwn || option.types == nil {
			continue
		}
		if !slices.Contains(option.types, q.Type) {
			return option.field, fmt.Sprintf("is for %s queues, and Type is %q: remove it, or set Type otherwise", typeNames(option.types), q.Type)
		}
	}
	if q.Type == Quorum && q.Overflow == RejectPublishDeadLetter {
		return "Overflow", fmt.Sprintf("is %q, which a quorum queue doesn't have: use runtime.RejectPublish", q.Overflow)
	}
	return "", ""
}

func typeNames(types []QueueType) string {
	var names []string
	for _, t := range types {
		if t != "" {
			names = append(names, string(t))
		}
	}
	return strings.Join(names, " and ")
}
