package redact

import "slices"

// A member is a place in dst, without the comma before it.
type member struct {
	name       string
	start, end int
	again      bool // its name came again
}

// members are those of one object. A few are looked through; of many there is an
// index, so that the time is linear.
type members struct {
	all   []member
	index map[string]int
	again bool // one's name came again
}

const maxUnindexed = 16

// add adds a member, and marks an earlier one of that name.
func (m *members) add(next member) {
	if i := m.find(next.name); i >= 0 {
		m.all[i].again, m.again = true, true
	}
	m.all = append(m.all, next)
	if m.index != nil {
		m.index[next.name] = len(m.all) - 1
		return
	}
	if len(m.all) > maxUnindexed {
		m.index = make(map[string]int)
		for i, member := range m.all {
			m.index[member.name] = i
		}
	}
}

// find returns the last member of that name, -1 for none.
func (m *members) find(name string) int {
	if m.index == nil {
		return slices.IndexFunc(m.all, func(m member) bool { return m.name == name && !m.again })
	}
	if i, ok := m.index[name]; ok {
		return i
	}
	return -1
}

// leaveOut moves the members together, without those whose name came again.
func (w *walker) leaveOut(all []member) {
	end := all[0].start
	for _, m := range all {
		if m.again {
			continue
		}
		if end > all[0].start {
			w.dst[end] = ','
			end++
		}
		end += copy(w.dst[end:], w.dst[m.start:m.end])
	}
	w.dst = w.dst[:end]
}
