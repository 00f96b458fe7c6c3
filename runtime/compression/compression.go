// Package compression packs and unpacks bodies, by gzip and zstd.
//
//	router.Use(compression.Unpack(10 << 20)) // at most 10 MiB come out
//	client := ordersclient.New(broker, runtime.WithInterceptors(compression.Zstd(1 << 10)))
//
// It is a package of its own, so that a user of package runtime compiles no zstd.
package compression

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/warrenmq/warren/runtime"
)

// ErrTooLarge: a body would be larger than the limit. It is found before more than the
// limit has been unpacked.
var ErrTooLarge = errors.New("the unpacked body is larger than the limit")

// Unpack returns a middleware that unpacks bodies with the content encoding gzip or
// zstd, and passes on a copy of the delivery without it. limit bounds what comes out of
// one body, in bytes. What is larger, isn't what its encoding says, or has another
// encoding, fails as by [runtime.Reject]: the dead letter has the body as it came.
// Bodies without an encoding, or with "identity" or a character set such as "utf-8",
// are passed on.
func Unpack(limit int) runtime.Middleware {
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			body, packed, err := unpack(d.ContentEncoding, d.Body, limit)
			if err != nil {
				return nil, runtime.Reject(&runtime.DecodeError{Err: err})
			}
			if !packed {
				return next(ctx, d)
			}
			unpacked := *d
			unpacked.Body, unpacked.ContentEncoding = body, ""
			return next(ctx, &unpacked)
		}
	}
}

// UnpackReplies returns an interceptor that unpacks the replies of calls, as Unpack
// does messages. Its errors are ErrTooLarge, and those of the encoding.
func UnpackReplies(limit int) runtime.Interceptor {
	return func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			reply, err := next(ctx, s)
			if err != nil || reply == nil {
				return reply, err
			}
			body, packed, err := unpack(reply.ContentEncoding, reply.Body, limit)
			if err != nil {
				return nil, err
			}
			if packed {
				reply.Body, reply.ContentEncoding = body, ""
			}
			return reply, nil
		}
	}
}

// unpack reports whether the encoding is one that it has unpacked.
func unpack(encoding string, packed []byte, limit int) (body []byte, was bool, err error) {
	switch encoding = strings.ToLower(encoding); encoding {
	case "", "identity", "utf-8", "utf8", "us-ascii", "ascii":
		return packed, false, nil
	case "gzip", "x-gzip":
		body, err = gunzip(packed, limit)
	case "zstd":
		body, err = unzstd(packed, limit)
	default:
		return nil, false, fmt.Errorf("the content encoding %q isn't known: it has to be gzip or zstd", encoding)
	}
	if err != nil {
		return nil, false, fmt.Errorf("unpack the body, whose content encoding is %q: %w", encoding, err)
	}
	return body, true, nil
}

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

func gunzip(packed []byte, limit int) ([]byte, error) {
	r := gzipReaders.Get().(*gzip.Reader)
	defer gzipReaders.Put(r)
	if err := r.Reset(bytes.NewReader(packed)); err != nil {
		return nil, err
	}
	return readAtMost(r, limit)
}

// maxWindow bounds the memory that a body makes its decoder take, whatever its size.
const maxWindow = 8 << 20

// zstdReaders are decoders that work in the goroutine of their caller, and own none.
var zstdReaders = sync.Pool{New: func() any {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(fmt.Sprintf("compression: options of a zstd decoder: %v", err))
	}
	return r
}}

func unzstd(packed []byte, limit int) ([]byte, error) {
	r := zstdReaders.Get().(*zstd.Decoder)
	defer zstdReaders.Put(r)
	if err := r.Reset(bytes.NewReader(packed)); err != nil {
		return nil, fmt.Errorf("begin to read it: %w", err)
	}
	return readAtMost(r, limit)
}

func readAtMost(r io.Reader, limit int) ([]byte, error) {
	more := min(int64(limit), math.MaxInt64-1) + 1 // by which a body that is too large is told
	body, err := io.ReadAll(io.LimitReader(r, more))
	switch {
	case err != nil:
		return nil, err
	case len(body) > limit:
		return nil, fmt.Errorf("%w of %d bytes", ErrTooLarge, limit)
	}
	return body, nil
}

// Gzip returns an interceptor that packs bodies of at least minSize bytes by gzip, where
// they get smaller by it. It leaves messages alone that have a content encoding.
func Gzip(minSize int) runtime.Interceptor {
	writers := sync.Pool{New: func() any { return gzip.NewWriter(nil) }}
	return pack(minSize, "gzip", func(body []byte) []byte {
		var packed bytes.Buffer // whose methods have no errors
		w := writers.Get().(*gzip.Writer)
		defer writers.Put(w)
		w.Reset(&packed)
		_, _ = w.Write(body)
		_ = w.Close()
		return packed.Bytes()
	})
}

// Zstd is Gzip with zstd, which packs better in less time.
func Zstd(minSize int) runtime.Interceptor {
	writers := sync.Pool{New: func() any {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(fmt.Sprintf("compression: options of a zstd encoder: %v", err))
		}
		return w
	}}
	return pack(minSize, "zstd", func(body []byte) []byte {
		w := writers.Get().(*zstd.Encoder)
		defer writers.Put(w)
		return w.EncodeAll(body, nil)
	})
}

func pack(minSize int, encoding string, packed func([]byte) []byte) runtime.Interceptor {
	return func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			if len(s.Message.Body) < minSize || s.Message.ContentEncoding != "" {
				return next(ctx, s)
			}
			if body := packed(s.Message.Body); len(body) < len(s.Message.Body) {
				s.Message.Body, s.Message.ContentEncoding = body, encoding
			}
			return next(ctx, s)
		}
	}
}
