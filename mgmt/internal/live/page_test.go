package live

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func listPages(t *testing.T, b *broker) {
	ctx, client := t.Context(), b.open(t)
	for i := range 5 {
		b.queue(t, fmt.Sprint("paged.", i), nil, 0)
	}
	ours := []mgmt.ListOption{mgmt.NameMatches("^paged"), mgmt.PageSize(2), mgmt.SortBy("name"), mgmt.Columns("name")}
	for _, scope := range []mgmt.Scope{mgmt.In("/"), mgmt.AllVHosts()} {
		all, err := client.Queues(ctx, scope, mgmt.Columns("name"))
		require.NoError(t, err)
		var seen []string
		for number := 1; number <= 3; number++ {
			page, err := client.QueuesPage(ctx, scope, number, ours...)
			require.NoError(t, err)
			seen = append(seen, names(page.Items)...)
			page.Items = nil
			require.Equal(t, mgmt.Page[mgmt.QueueInfo]{Number: number, Pages: 3, Size: 2, Filtered: 5, Total: len(all)}, page)
		}
		require.Equal(t, []string{"paged.0", "paged.1", "paged.2", "paged.3", "paged.4"}, seen)
		_, err = client.QueuesPage(ctx, scope, 4, ours...)
		require.ErrorIs(t, err, mgmt.ErrPage)
		_, err = client.QueuesPage(ctx, scope, 0)
		require.Error(t, err)
		exchanges, err := client.ExchangesPage(ctx, scope, 1)
		require.NoError(t, err)
		require.Equal(t, 500, exchanges.Size)
		require.Len(t, exchanges.Items, exchanges.Total)
	}
	users, err := mgmt.ReadPage[mgmt.UserInfo](ctx, client, []string{"permissions"}, 1)
	require.NoError(t, err, "which no version pages")
	require.Equal(t, 1, users.Pages)
	_, err = mgmt.ReadPage[mgmt.UserInfo](ctx, client, []string{"permissions"}, 2)
	require.ErrorIs(t, err, mgmt.ErrPage)
}
