package diagnostic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The place is that of the first panic, whoever passed it on.
func TestPanicSite_IsTheFirstPanic(t *testing.T) {
	var none []int
	for name, fails := range map[string]func(){
		"by itself": func() { none[0]++ },
		"passed on": func() {
			defer func() { panic(recover()) }()
			none[0]++
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				require.NotNil(t, recover())
				require.Regexp(t, `^diagnostic\.TestPanicSite_IsTheFirstPanic\.func[12] \(panicsite_test\.go:1[36]\)$`, PanicSite())
			}()
			fails()
		})
	}
}
