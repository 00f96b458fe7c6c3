package mgmt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// pageSize is what the broker allows at most. Smaller pages cost more: the
// broker sorts the whole list for each (measured on 4.3).
const pageSize = 500

// A ListOption asks for a part of a list, or for another order. Options are
// applied in order: of two that set the same parameter, the last one counts.
type ListOption func(*listing)

type listing struct {
	columns []string
	query   url.Values
	size    int // of a page; 0 for one answer with everything
}

// Columns asks for these keys of each entry only: "name", or
// "message_stats.ack" for a nested one. Fields of other keys stay zero. Several
// Columns add up. Nothing else makes long lists as cheap.
func Columns(names ...string) ListOption {
	return func(l *listing) { l.columns = append(l.columns, names...) }
}

// SortBy sorts by a key of the entries, ascending.
func SortBy(column string) ListOption { return Query("sort", column) }

// Descending reverses the order of SortBy.
func Descending() ListOption { return Query("sort_reverse", "true") }

// NameContains leaves out entries whose names don't contain text. The broker
// does that for pages only, so it implies PageSize.
func NameContains(text string) ListOption {
	return func(l *listing) { l.set("name", text); l.page() }
}

// NameMatches leaves out entries whose names don't match the regular
// expression, which is PCRE without anchors. It implies PageSize. One that
// isn't valid is an error on 3.10 and 4.0, and matches nothing on 4.3.
func NameMatches(expression string) ListOption {
	return func(l *listing) { l.set("name", expression); l.set("use_regex", "true"); l.page() }
}

// PageSize asks for pages of n entries, from 1 to 500, one after the other:
// many small answers rather than one large one. Entries that are created or
// deleted meanwhile may make others be missed, or seen twice.
func PageSize(n int) ListOption {
	return func(l *listing) { l.size = max(1, min(n, pageSize)) }
}

// WithoutStats leaves the statistics out, except for the numbers of messages if
// the version reports them, which are then fresher than otherwise. It is for
// queues.
func WithoutStats() ListOption {
	return func(l *listing) { l.set("disable_stats", "true"); l.set("enable_queue_totals", "true") }
}

// Query sets a parameter of the query that has no option here, such as
// lengths_age.
func Query(key, value string) ListOption {
	return func(l *listing) { l.set(key, value) }
}

func (l *listing) set(key, value string) {
	if l.query == nil {
		l.query = make(url.Values)
	}
	l.query.Set(key, value)
}

func (l *listing) page() {
	if l.size == 0 {
		l.size = pageSize
	}
}

func newListing(options []ListOption) *listing {
	l := new(listing)
	for _, option := range options {
		option(l)
	}
	if len(l.columns) > 0 {
		l.set("columns", strings.Join(l.columns, ","))
	}
	return l
}

// List reads the list at /api/ and the segments, each of them one name, into
// elements of any type: a struct of the fields that are needed, or
// map[string]any. A field whose value doesn't fit stays zero. An empty list
// isn't nil, a failed one is.
func List[T any](ctx context.Context, c *Client, segments []string, options ...ListOption) ([]T, error) {
	return list[T](ctx, c, request{operation: "list", path: of(segments)}, options)
}

// Seq is List, one element after the other as they arrive, so that only one is
// in memory. The first error ends the sequence. The call is made when the loop
// begins, and again by each further loop. Its connection is in use until the
// loop ends, and Config.Timeout bounds each wait for the broker rather than the
// loop.
func Seq[T any](ctx context.Context, c *Client, segments []string, options ...ListOption) iter.Seq2[T, error] {
	return seq[T](ctx, c, request{operation: "list", path: of(segments)}, options)
}

func list[T any](ctx context.Context, c *Client, r request, options []ListOption) ([]T, error) {
	elements := newChunks[T]()
	r.method = http.MethodGet
	err := newListing(options).each(r, func(r request) (int, error) {
		a, err := c.send(ctx, r)
		if err != nil {
			return 0, err
		}
		defer a.close()
		return readList(a, elements.add)
	})
	if err != nil {
		return nil, err
	}
	return elements.slice(), nil
}

func seq[T any](ctx context.Context, c *Client, r request, options []ListOption) iter.Seq2[T, error] {
	r.method, r.stream = http.MethodGet, true
	return func(yield func(T, error) bool) {
		err := newListing(options).each(r, func(r request) (int, error) {
			a, err := c.send(ctx, r)
			if err != nil {
				return 0, err
			}
			defer a.close()
			return readList(a, func(element *T) bool { return yield(*element, nil) })
		})
		if err != nil && err != errStopped {
			var none T
			yield(none, err)
		}
	}
}

// errStopped ends a list whose reader has left the loop.
var errStopped = errors.New("stopped")

// each gets the pages one by one, or the only one. get returns the number of
// pages, 0 where the endpoint has none.
func (l *listing) each(r request, get func(request) (pages int, err error)) error {
	r.query = l.query
	if l.size == 0 {
		_, err := get(r)
		return err
	}
	l.set("page_size", strconv.Itoa(l.size))
	for page, pages := 1, 1; page <= pages; page++ {
		l.set("page", strconv.Itoa(page))
		r.query = l.query
		var err error
		pages, err = get(r)
		if page > 1 && errors.Is(err, ErrPage) {
			return nil // the list has become shorter
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readList hands the elements of a list to yield, until that returns false. A
// list is an array, or an object that has it under "items" and the number of
// pages beside it.
func readList[T any](a *answer, yield func(*T) bool) (pages int, err error) {
	d := json.NewDecoder(a)
	token, err := d.Token()
	if err != nil {
		return 0, a.broken(err)
	}
	switch token {
	case json.Delim('['):
		err = readElements(a, d, yield)
	case json.Delim('{'):
		pages, err = readPage(a, d, yield)
	default:
		err = a.fail(fmt.Errorf("%w: a list was expected, not %v", ErrNotAPI, token))
	}
	if err != nil {
		return 0, err
	}
	if _, err := d.Token(); err != io.EOF {
		if err == nil {
			err = errors.New("something follows the list")
		}
		return 0, a.broken(err)
	}
	return pages, nil
}

func readPage[T any](a *answer, d *json.Decoder, yield func(*T) bool) (pages int, err error) {
	found := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return 0, a.broken(err)
		}
		switch key {
		case "items":
			found = true
			if token, err := d.Token(); err != nil || token != json.Delim('[') {
				return 0, a.fail(fmt.Errorf("%w: its items aren't a list", ErrNotAPI))
			}
			if err := readElements(a, d, yield); err != nil {
				return 0, err
			}
		case "page_count":
			if err := d.Decode(&pages); err != nil {
				return 0, a.broken(err)
			}
		default:
			var skipped json.RawMessage
			if err := d.Decode(&skipped); err != nil {
				return 0, a.broken(err)
			}
		}
	}
	if !found {
		return 0, a.fail(fmt.Errorf("%w: a list was expected", ErrNotAPI))
	}
	_, err = d.Token()
	return pages, a.broken(err)
}

func readElements[T any](a *answer, d *json.Decoder, yield func(*T) bool) error {
	for d.More() {
		var element T
		err := d.Decode(&element)
		var mismatch *json.UnmarshalTypeError
		if err != nil && !errors.As(err, &mismatch) {
			return a.broken(err)
		}
		if !yield(&element) {
			return errStopped
		}
	}
	_, err := d.Token()
	return a.broken(err)
}

// broken is fail for an error of the JSON decoder, nil for nil. The decoder
// returns io.EOF for a body that is cut as well.
func (a *answer) broken(err error) error {
	if err == nil {
		return nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return a.fail(fmt.Errorf("decode the answer: %w", err))
}

// chunks collects elements whose number isn't known. A slice that grows would
// copy large elements five times.
type chunks[T any] struct {
	full [][]T
	last []T
	n    int
}

func newChunks[T any]() *chunks[T] { return &chunks[T]{last: make([]T, 0, 8)} }

func (c *chunks[T]) add(element *T) bool {
	const most = 256
	if len(c.last) == cap(c.last) {
		c.full = append(c.full, c.last)
		c.last = make([]T, 0, min(2*cap(c.last), most))
	}
	c.last = append(c.last, *element)
	c.n++
	return true
}

func (c *chunks[T]) slice() []T {
	if len(c.full) == 0 {
		return c.last
	}
	all := make([]T, 0, c.n)
	for _, chunk := range c.full {
		all = append(all, chunk...)
	}
	return append(all, c.last...)
}
