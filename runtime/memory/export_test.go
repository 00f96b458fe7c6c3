package memory

import "github.com/warrenmq/warren/runtime"

// ExpectReply returns what sends to the reply address of a call of b, and what has come
// to the call. There is room for more than one.
func (s *Server) ExpectReply(b *Broker) (replies func() []string, publish func(body string) error) {
	came := make(chan *message, 10)
	address := s.expectReply(b, came)
	publish = func(body string) error {
		return s.publish(&message{Message: runtime.Message{Body: []byte(body)}, key: address})
	}
	replies = func() (bodies []string) {
		for len(came) > 0 {
			bodies = append(bodies, string((<-came).Body))
		}
		return bodies
	}
	return replies, publish
}

// Delete deletes a queue, as an operator may.
func (s *Server) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.queues[name]; q != nil {
		s.deleteQueue(q)
	}
}
