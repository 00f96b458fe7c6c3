package model

import (
	"go/constant"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The models of strings.Builder and bytes.Buffer. What was written is kept in
// the variable of their field buf, as a string.

func bufferOf(recv value.Value) *value.Cell {
	p, ok := recv.(value.Pointer)
	if !ok {
		return nil
	}
	s, ok := p.To.Load().(*value.Struct)
	if !ok {
		return nil
	}
	u, ok := s.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if i := value.FieldIndex(u, "buf"); i >= 0 {
		return s.Fields[i]
	}
	return nil
}

func bufferString(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	text, known := value.TextOf(buf.Load())
	if !known {
		return value.Because(c.At, buf.Load()), true
	}
	return value.NewConst(constant.MakeString(text), types.Typ[types.String]), true
}

func bufferLen(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	text, known := value.TextOf(buf.Load())
	if !known {
		return value.Because(c.At, buf.Load()), true
	}
	return integer(len(text)), true
}

func bufferReset(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	c.Set(buf, value.Nil{})
	return value.Tuple{}, true
}

func bufferGrow(c *Call) (value.Value, bool) { return value.Tuple{}, bufferOf(c.Fn.Recv) != nil }

// bufferWrite is the model of the methods that write.
func bufferWrite(c *Call) (value.Value, bool) {
	buf := bufferOf(c.Fn.Recv)
	if buf == nil {
		return nil, false
	}
	method := c.Fn.Obj.Name()
	added := c.addedText(method)
	c.appendText(buf, added)
	if method == "WriteByte" {
		return noError(), true
	}
	text, _ := value.TextOf(added)
	return value.Tuple{integer(len(text)), noError()}, true
}

func integer(n int) value.Value {
	return value.NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int])
}

func noError() value.Value { return value.Nil{Type: types.Universe.Lookup("error").Type()} }

// addedText returns what a method writes, as a string constant or an Unknown.
func (c *Call) addedText(method string) value.Value {
	if len(c.Args) != 1 {
		return value.Because(c.At, c.Args...)
	}
	text := types.Typ[types.String]
	switch v := c.Args[0].(type) {
	case value.Const:
		n, exact := value.IntOf(v)
		switch {
		case method == "WriteString":
			return v
		case method == "WriteByte" && exact:
			return value.NewConst(constant.MakeString(string([]byte{byte(n)})), text)
		case method == "WriteRune" && exact:
			return value.NewConst(constant.MakeString(string(rune(n))), text)
		}
	case *value.Slice:
		return value.StringOf(c.At, v, text)
	case value.Nil:
		return value.NewConst(constant.MakeString(""), text)
	}
	return value.Because(c.At, c.Args...)
}

func (c *Call) appendText(buf *value.Cell, added value.Value) {
	before, known := value.TextOf(buf.Load())
	text, also := value.TextOf(added)
	switch {
	case !known:
	case !also || len(before)+len(text) > value.MaxText:
		c.Set(buf, value.Because(c.At, added))
	default:
		c.Work(len(before) + len(text))
		c.Set(buf, value.NewConst(constant.MakeString(before+text), types.Typ[types.String]))
	}
}
