package mgmt_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestReadPage_KeepsTheNumbersOfThePage(t *testing.T) {
	var page mgmt.Page[mgmt.QueueInfo]
	got, err := record(t, 200, `{"filtered_count":3,"item_count":1,"items":[{"name":"c","messages":"odd"}],"page":2,"page_count":2,"page_size":2,"total_count":9}`,
		func(c *mgmt.Client) (err error) {
			page, err = c.QueuesPage(t.Context(), mgmt.In("v"), 2, mgmt.PageSize(2), mgmt.NameContains("x"), mgmt.Columns("name"))
			return err
		})
	require.NoError(t, err)
	require.Equal(t, "/api/queues/v?columns=name&name=x&page=2&page_size=2", got.uri)
	require.Len(t, page.Items, 1)
	require.Equal(t, "c", page.Items[0].Name)
	page.Items = nil
	require.Equal(t, mgmt.Page[mgmt.QueueInfo]{Number: 2, Pages: 2, Size: 2, Filtered: 3, Total: 9}, page)
}

func TestReadPage_TakesAListAsTheOnlyPage(t *testing.T) {
	for number, want := range map[int]error{1: nil, 2: mgmt.ErrPage} {
		var page mgmt.Page[map[string]any]
		got, err := record(t, 200, `[{"name":"a"},{"name":"b"}]`, func(c *mgmt.Client) (err error) {
			page, err = mgmt.ReadPage[map[string]any](t.Context(), c, []string{"bindings"}, number)
			return err
		})
		require.ErrorIs(t, err, want)
		require.Contains(t, got.uri, "page_size=500")
		if want == nil {
			require.Equal(t, mgmt.Page[map[string]any]{Items: []map[string]any{{"name": "a"}, {"name": "b"}}, Number: 1, Pages: 1, Size: 2, Filtered: 2, Total: 2}, page)
		}
	}
}

func TestReadPage_RefusesWhatIsNoPage(t *testing.T) {
	for body, want := range map[string]error{
		`{"items":[]}`: mgmt.ErrNotAPI, `{"page":1}`: mgmt.ErrNotAPI, `{"error":"x"}`: mgmt.ErrNotAPI,
		`{"items":[],"page":1}`: nil,
	} {
		_, err := record(t, 200, body, func(c *mgmt.Client) error {
			_, err := c.ConnectionsPage(t.Context(), 1)
			return err
		})
		require.ErrorIs(t, err, want, body)
	}
	_, err := record(t, 200, `{"items":["2026-01-02T15:04:05Z","noon"],"page":1}`, func(c *mgmt.Client) error {
		_, err := mgmt.ReadPage[time.Time](t.Context(), c, []string{"times"}, 1)
		return err
	})
	require.ErrorContains(t, err, "noon", "what an element refuses is no part of a page")
	_, err = record(t, 400, `{"error":"page_out_of_range","reason":"Page out of range, page: 9 page size: 2, len: 2"}`, func(c *mgmt.Client) error {
		_, err := c.ChannelsPage(t.Context(), 9)
		return err
	})
	require.ErrorIs(t, err, mgmt.ErrPage)
	_, err = record(t, 200, `[]`, func(c *mgmt.Client) error {
		_, err := c.QueuesPage(t.Context(), mgmt.In("detailed"), 1)
		return err
	})
	require.ErrorIs(t, err, mgmt.ErrName, "4.x pages other queues there")
}
