package eval

import (
	"go/types"
	"maps"

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

// clone returns a scope of the same variables, to which others can be added.
func (s *scope) clone() *scope { return &scope{parent: s.parent, vars: maps.Clone(s.vars)} }

func (s *scope) declare(v *types.Var, cell *value.Cell) *value.Cell {
	if s.vars == nil {
		s.vars = make(map[*types.Var]*value.Cell)
	}
	s.vars[v] = cell
	return cell
}
