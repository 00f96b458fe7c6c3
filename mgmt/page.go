package mgmt

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
)

// A Page is a part of a list as the broker cuts it, with the numbers of entries.
type Page[T any] struct {
	Items    []T `json:"items"`
	Number   int `json:"page"`           // of the page, from 1
	Pages    int `json:"page_count"`     // that the list has; 0 for an empty one at times
	Size     int `json:"page_size"`      // entries that a page has at most
	Filtered int `json:"filtered_count"` // entries that NameContains or NameMatches has left
	Total    int `json:"total_count"`    // entries without it
}

// UnmarshalJSON also takes a bare list, as of an endpoint without pages: it is the
// only page.
func (p *Page[T]) UnmarshalJSON(data []byte) error {
	*p = Page[T]{}
	if len(data) > 0 && data[0] == '[' {
		err := lenient(json.Unmarshal(data, &p.Items))
		n := len(p.Items)
		p.Number, p.Pages, p.Size, p.Filtered, p.Total = 1, 1, n, n, n
		return err
	}
	type fields Page[T]
	if err := lenient(json.Unmarshal(data, (*fields)(p))); err != nil {
		return err
	}
	if p.Items == nil || p.Number == 0 {
		return fmt.Errorf("%w: a page of a list was expected", ErrNotAPI)
	}
	return nil
}

// ReadPage reads one page of the list at /api/ and the segments, for who shows a
// list page by page; see [List] about the elements. Pages are numbered from 1, and
// PageSize sets how many entries one has, 500 by default. A page behind the last
// one is ErrPage. [List] with PageSize reads them all.
func ReadPage[T any](ctx context.Context, c *Client, segments []string, number int, options ...ListOption) (Page[T], error) {
	return readOnePage[T](ctx, c, get("list", "", "", of(segments)), number, options)
}

func readOnePage[T any](ctx context.Context, c *Client, r request, number int, options []ListOption) (Page[T], error) {
	l := newListing(options)
	l.page()
	l.set("page_size", strconv.Itoa(l.size))
	l.set("page", strconv.Itoa(number))
	r.query = l.query
	page, err := read[Page[T]](ctx, c, r)
	if err == nil && page.Number != number {
		return Page[T]{}, r.fail(fmt.Errorf("%w: the only one is %d", ErrPage, page.Number))
	}
	return page, err
}

// QueuesPage reads one page of Queues; see [ReadPage].
//
// GET /api/queues
// GET /api/queues/{vhost}
func (c *Client) QueuesPage(ctx context.Context, scope Scope, number int, options ...ListOption) (Page[QueueInfo], error) {
	r, _ := queues(scope, nil)
	if scope == In(detailed) {
		return Page[QueueInfo]{}, r.fail(fmt.Errorf("%w: 4.x pages the queues of all virtual hosts under the name %q: use Queues", ErrName, detailed))
	}
	return readOnePage[QueueInfo](ctx, c, r, number, options)
}

// ExchangesPage reads one page of Exchanges; see [ReadPage].
//
// GET /api/exchanges
// GET /api/exchanges/{vhost}
func (c *Client) ExchangesPage(ctx context.Context, scope Scope, number int, options ...ListOption) (Page[ExchangeInfo], error) {
	return readOnePage[ExchangeInfo](ctx, c, over("list exchanges", "exchanges", scope), number, options)
}

// ConnectionsPage reads one page of the connections to all virtual hosts; those to
// one of them aren't paged by the broker. See [ReadPage].
//
// GET /api/connections
func (c *Client) ConnectionsPage(ctx context.Context, number int, options ...ListOption) (Page[ConnectionInfo], error) {
	return readOnePage[ConnectionInfo](ctx, c, over("list connections", "connections", AllVHosts()), number, options)
}

// ChannelsPage reads one page of the channels of all virtual hosts; those of one of
// them aren't paged by the broker. See [ReadPage].
//
// GET /api/channels
func (c *Client) ChannelsPage(ctx context.Context, number int, options ...ListOption) (Page[ChannelInfo], error) {
	return readOnePage[ChannelInfo](ctx, c, over("list channels", "channels", AllVHosts()), number, options)
}
