package eval

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// scope holds the variables of a block.
type scope struct {
	parent *scope
	vars   map[*types.Var]*value.Cell
}

func (s *scope) lookup(v *types.Var) *value.Cell {
	for ; s != nil; s = s.parent {
		if cell, ok := s.vars[v]; ok {
			return cell
		}
	}
	return nil
}

func (s *scope) declare(v *types.Var, cell *value.Cell) *value.Cell {
	if s.vars == nil {
		s.vars = make(map[*types.Var]*value.Cell)
	}
	s.vars[v] = cell
	return cell
}
