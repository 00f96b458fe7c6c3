package docpage

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomRoute is one of those that a document can have.
func randomRoute(r *rand.Rand) *route {
	name := func() string { return strings.Repeat("name.", r.IntN(9)) + string([]rune("aé名\u202e<")[r.IntN(5)]) }
	to := &route{Name: name() + "x", Queue: &endpoint{Name: name() + "q"}, Sends: r.IntN(5) == 0}
	for i := range r.IntN(4) {
		if i == 0 {
			to.Exchange = &endpoint{Name: name() + "e", Type: "topic"}
		}
		b := binding{Exchange: name() + "e"}
		for range r.IntN(3) {
			b.Keys = append(b.Keys, name())
		}
		to.Bindings = append(to.Bindings, b)
	}
	if r.IntN(2) == 0 {
		to.Reply = &reply{To: []string{"", "whoever asked (reply_to)", "queue " + name()}[r.IntN(3)]}
	}
	if r.IntN(2) == 0 {
		to.Failure = &failure{Attempts: strconv.Itoa(1 + r.IntN(6)), Endless: r.IntN(4) == 0, DeadLetters: []string{"", "queue " + name()}[r.IntN(2)]}
		for i := range r.IntN(6) {
			to.Failure.Retries = append(to.Failure.Retries, retry{Queue: name(), Delay: fmt.Sprint(i, "s")})
		}
	}
	return to
}

// Boxes don't touch each other, everything is within the picture, and texts are
// within their boxes.
func requireOrdered(t *testing.T, d drawing) {
	t.Helper()
	for i, a := range d.Boxes {
		require.GreaterOrEqual(t, a.X, 0)
		require.GreaterOrEqual(t, a.Y, 0)
		require.LessOrEqual(t, a.right(), d.Left+d.Width)
		require.LessOrEqual(t, a.bottom(), d.Height)
		require.LessOrEqual(t, widthOf(a.Title, titleWidth)+boxPadding, a.W, a.Title)
		require.LessOrEqual(t, widthOf(a.Sub, labelWidth)+boxPadding, a.W, a.Sub)
		for _, b := range d.Boxes[:i] {
			apart := a.right() < b.X || b.right() < a.X || a.bottom() < b.Y || b.bottom() < a.Y
			require.True(t, apart, "%+v and %+v", a, b)
		}
	}
	for _, a := range d.Arrows {
		start, wide := a.LX, widthOf(a.Label, labelWidth)
		if a.Anchor == "end" {
			start -= wide
		}
		require.GreaterOrEqual(t, start, d.Left)
		require.LessOrEqual(t, start+wide, d.Left+d.Width)
		require.NotEmpty(t, regexp.MustCompile(`^M\d+ \d+([HV]-?\d+)+(m-?\d+ -?\d+(l-?\d+ -?\d+)+)$`).FindString(a.Path), a.Path)
		if a.Label != "" && a.Kind == anExchange {
			for _, b := range d.Boxes { // the key is over its line, and not over a box
				covered := start < b.right() && b.X < start+wide && a.LY-8 < b.bottom() && b.Y < a.LY
				require.False(t, covered, "%q and %+v", a.Label, b)
			}
		}
	}
}

func TestDrawRoute_KeepsBoxesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := drawRoute(randomRoute(r))
		require.NotNil(t, p)
		requireOrdered(t, p.Wide)
		if p.Narrow != nil {
			requireOrdered(t, *p.Narrow)
			require.LessOrEqual(t, p.Narrow.Width, 358, "a telephone is 390 pixels wide, and has margins of 16")
		}
	}
}

func TestDrawOverview_KeepsBoxesApart(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := &page{}
		for range 2 + r.IntN(30) {
			to := randomRoute(r)
			to.Picture = drawRoute(to)
			p.Routes = append(p.Routes, to)
		}
		overview := drawOverview(p)
		require.NotNil(t, overview)
		requireOrdered(t, overview.Wide)
	}
}

func TestDrawOverview_LeavesOutWhatIsTooMuch(t *testing.T) {
	p := &page{}
	for i := range maxOverview + 1 {
		to := &route{Name: strconv.Itoa(i), Queue: &endpoint{Name: "q"}}
		to.Picture = drawRoute(to)
		p.Routes = append(p.Routes, to)
		require.Equal(t, i >= 1 && i < maxOverview, drawOverview(p) != nil, i)
	}
}

func TestDrawRoute_SaysWhatItShows(t *testing.T) {
	to := &route{
		Name: "OnOrder", Queue: &endpoint{Name: "orders"}, Exchange: &endpoint{Name: "shop", Type: "topic"},
		Bindings: []binding{{Exchange: "shop", Keys: []string{"order.*", "order.new"}}}, Reply: &reply{},
		Failure: &failure{Attempts: "3", Retries: []retry{{"w", "1s"}}, DeadLetters: "queue orders.dead"},
	}
	p := drawRoute(to)
	require.Equal(t, "shop, order.* +1, to queue orders, handled by OnOrder, replies to its reply address, failed messages to queue orders.dead", p.Label)
	require.Equal(t, "3 attempts, after 1s", attemptsLabel(to.Failure))
}

func TestDrawRoute_ShowsWhereFailedMessagesGo(t *testing.T) {
	for _, test := range []struct {
		failure      failure
		wide, narrow string // labels of the arrow back to the queue, "" for none
	}{
		{failure{Attempts: "3", DeadLetters: "queue orders.dead"}, "3 attempts", "3×"},
		{failure{Attempts: "3"}, "3 attempts", "3×"},
		{failure{Attempts: "1", DeadLetters: "queue orders.dead"}, "", ""},
		{failure{Endless: true}, attemptsLabel(&failure{Endless: true}), "retried"},
	} {
		p := drawRoute(&route{Name: "OnOrder", Queue: &endpoint{Name: "orders"}, Failure: &test.failure})
		for label, d := range map[string]drawing{test.wide: p.Wide, test.narrow: *p.Narrow} {
			var labels, dead []string
			for _, a := range d.Arrows {
				if a.Kind == aFailure && a.Label != "" {
					labels = append(labels, a.Label)
				}
			}
			for _, b := range d.Boxes {
				if b.Kind == aFailure {
					dead = append(dead, b.Full)
				}
			}
			require.Equal(t, label, strings.Join(labels, ","), test)
			require.Equal(t, test.failure.DeadLetters == "", dead == nil, test)
			if dead != nil {
				require.Equal(t, []string{"orders.dead"}, dead)
			}
		}
	}
}

func TestClipped_KeepsBothEnds(t *testing.T) {
	require.Equal(t, "a", clipped("a", 3))
	require.Equal(t, "orders.cr…y.dead", clipped("orders.created.retry.dead", 16))
	require.Equal(t, "a b", clipped("a\nb", 9))
}
