package memory

// Delete deletes a queue, as an operator may.
func (s *Server) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if q := s.queues[name]; q != nil {
		s.deleteQueue(q)
	}
}
