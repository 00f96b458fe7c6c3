package model

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"go/constant"
	"go/types"
	"hash"
	"hash/crc32"
	"reflect"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Hashes are evaluated by their source, but for the functions that are written in
// assembly: what these do with a block is computed by this program.

var (
	md5Block    = digestBlock[[4]uint32](md5.New)
	sha1Block   = digestBlock[[5]uint32](sha1.New)
	sha256Block = digestBlock[[8]uint32](sha256.New)
	sha512Block = digestBlock[[8]uint64](sha512.New)
)

// digestBlock is the model of the function block(*digest, p []byte), which adds p to
// the words W, the first field of the digest. The length of p is that of whole blocks.
func digestBlock[W any](newHash func() hash.Hash) Function {
	return func(c *Call) (value.Value, bool) {
		digest := pointedStruct(c.Args[0])
		if digest == nil {
			return nil, false
		}
		words := digest.Fields[0].Load()
		state, unknown := c.toGo(words, reflect.TypeFor[W]())
		blocks, unknownBlock := c.toGo(c.Args[1], reflect.TypeFor[[]byte]())
		if unknown != nil || unknownBlock != nil {
			c.Set(digest.Fields[0], c.because(words, c.Args[1]))
			return value.Tuple{}, true
		}
		c.setArray(words, addedTo(newHash(), state.Interface().(W), blocks.Bytes()))
		return value.Tuple{}, true
	}
}

// addedTo returns the words of a hash after whole blocks were written to it. A hash
// marshals itself as four letters, its words, and what is left of the last block.
func addedTo[W any](h hash.Hash, words W, blocks []byte) W {
	const letters = 4
	state := h.(interface {
		MarshalBinary() ([]byte, error)
		UnmarshalBinary([]byte) error
	})
	text, err := state.MarshalBinary()
	try(err)
	_, err = binary.Encode(text[letters:], binary.BigEndian, words)
	try(err)
	try(state.UnmarshalBinary(text))
	h.Write(blocks)
	text, err = state.MarshalBinary()
	try(err)
	_, err = binary.Decode(text[letters:], binary.BigEndian, &words)
	try(err)
	return words
}

// try panics if a function of the library has failed that can't.
func try(err error) {
	if err != nil {
		panic(err)
	}
}

// crcOf returns what a processor's own instruction does, which reads no table.
func crcOf(table *crc32.Table) func(sum uint32, added []byte) uint32 {
	return func(sum uint32, added []byte) uint32 { return crc32.Update(sum, table, added) }
}

// crcUpdate is the model of the function of package crc32 that adds bytes to a sum by a table.
func crcUpdate(c *Call) (value.Value, bool) {
	table, isKnown := c.Args[1].(value.Pointer)
	if !isKnown {
		return c.because(c.Args[:3]...), true
	}
	sum, unknown := c.toGo(c.Args[0], reflect.TypeFor[uint32]())
	words, unknownTable := c.toGo(table.Load(), reflect.TypeFor[crc32.Table]())
	added, unknownBytes := c.toGo(c.Args[2], reflect.TypeFor[[]byte]())
	if unknown != nil || unknownTable != nil || unknownBytes != nil {
		return c.because(c.Args[0], table.Load(), c.Args[2]), true
	}
	of := words.Interface().(crc32.Table)
	return uint32Value(crc32.Update(uint32(sum.Uint()), &of, added.Bytes())), true
}

// crcTable is the model of the function of package crc32 that fills a table.
func crcTable(c *Call) (value.Value, bool) {
	poly, known := value.IntOf(c.Args[0])
	table, isPointer := c.Args[1].(value.Pointer)
	if !known || !isPointer {
		return nil, false
	}
	c.setArray(table.Load(), *crc32.MakeTable(uint32(poly)))
	return value.Tuple{}, true
}

// setArray sets the elements of an array to those of one of this program.
func (c *Call) setArray(v value.Value, to any) {
	array, from := v.(*value.Array), c.fromGo(reflect.ValueOf(to), value.TypeOf(v)).(*value.Array)
	for i, elem := range from.Elems {
		c.Set(array.Elems[i], elem.Load())
	}
}

func uint32Value(n uint32) value.Value {
	return value.NewConst(constant.MakeUint64(uint64(n)), types.Typ[types.Uint32])
}

// doesNothing is the model of a function that changes nothing which the program sees.
func doesNothing(*Call) (value.Value, bool) { return value.Tuple{}, true }

// isTrue is the model of a question that is answered by yes.
func isTrue(*Call) (value.Value, bool) { return boolean(true), true }

// isFalse is the model of a question that is answered by no.
func isFalse(*Call) (value.Value, bool) { return boolean(false), true }
