package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/redact"
)

// card returns a number of so many digits that begins so, with a right Luhn sum.
func card(first, digits int) string {
	text := fmt.Sprint(first) + strings.Repeat("1", digits-4-1)
	for check := range 10 {
		sum := 0
		number := text + fmt.Sprint(check)
		for i := range number {
			d := int(number[len(number)-1-i] - '0')
			if i%2 == 1 {
				if d *= 2; d > 9 {
					d -= 9
				}
			}
			sum += d
		}
		if sum%10 == 0 {
			return number
		}
	}
	panic("one of ten is right")
}

// Cards are those of the issuers, in each of the lengths that an issuer has: a number beside
// the range, and one of another length, is none.
func TestCard_IsOfAnIssuersRangeAndLength(t *testing.T) {
	r := newRedactor(t, redact.Config{Without: []redact.Kind{redact.Phone}})
	for _, issuer := range []struct {
		name        string
		first, last int
		digits      []int
		before      bool // the number before the range is no card of another issuer
		after       bool
	}{
		{"Visa", 4000, 4999, []int{13, 16, 19}, false, false},
		{"Mastercard", 5100, 5599, []int{16}, false, false},
		{"Mastercard of 2016", 2221, 2720, []int{16}, true, true},
		{"American Express", 3400, 3499, []int{15}, true, true},
		{"American Express", 3700, 3799, []int{15}, false, false},
		{"Diners Club", 3000, 3059, []int{14, 16}, true, true},
		{"Diners Club", 3600, 3699, []int{14, 16}, false, false},
		{"Discover", 6011, 6011, []int{16, 17, 18, 19}, true, true},
		{"Discover", 6440, 6599, []int{16, 17, 18, 19}, true, true},
		{"JCB", 3528, 3589, []int{16, 17, 18, 19}, true, false},
		{"UnionPay", 6200, 6299, []int{16, 17, 18, 19}, true, false},
	} {
		has := make(map[int]bool)
		for _, n := range issuer.digits {
			has[n] = true
		}
		for n := 13; n <= 19; n++ {
			for _, first := range []int{issuer.first, issuer.last} {
				require.Equal(t, has[n], r.Value(card(first, n)), "%s: %d digits from %d", issuer.name, n, first)
			}
			require.False(t, issuer.before && r.Value(card(issuer.first-1, n)), "%s: %d digits before it", issuer.name, n)
			require.False(t, issuer.after && r.Value(card(issuer.last+1, n)), "%s: %d digits after it", issuer.name, n)
		}
	}
}

// A percent sign begins a placeholder, unless two hexadecimal digits make a character of a URL
// of it.
func TestParameter_TellsPlaceholdersFromURLs(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for text, want := range map[string]bool{
		"password=%2Fsecret": true, "password=%aFsecret": true, "token=%00abc&x=1": true,
		"password=%secret": false, "password=%2gsecret": false, "password=%g2secret": false, "password=%s": false, "password=%-10s": false,
		"password=%d, user=%d": false, "password=%2": false,
	} {
		require.Equal(t, want, r.Value(text), text)
	}
}

// A token's prefix inside a word is a part of the word.
func TestCloudToken_BeginsAWord(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	for before, want := range map[string]bool{
		" ": true, "-": true, "/": true, ":": true, "=": true, "\"": true, "(": true, "\u3002": true,
		"": false, "a": false, "Z": false, "7": false, "_": false, "\u00e9": false, "\u0436": false,
	} {
		require.Equal(t, want, r.Value("x"+before+token), "%q", before)
	}
	require.False(t, r.Value("ghp_16C7e42F292c6912E77"), "19 characters are too few")
	require.True(t, r.Value("ghp_16C7e42F292c6912E771"))
	require.False(t, r.Value("the token xoxb-12345678901234"), "no token has less than 20 characters")
	require.True(t, r.Value("the token xoxb-123456789012345"))
	require.True(t, r.Value("AKIAIOSFODNN7EXAMPLE"))
	require.False(t, r.Value("AKIAIOSFODNN7EXAMPLES"))
	require.False(t, r.Value("AKIAIOSFODNN7EXAMPL"))
	require.False(t, r.Value("AKIAIOSFODNN7EXAMPLE_"), "it goes on")
}

func TestIBAN_IsOfACountryThatHasThem(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	require.Equal(t, "to [REDACTED] now", r.Text("to DE89 3704 0044 0532 0130 00 now"))
	for _, text := range []string{"XX89370400440532013000", "to XX89370400440532013000 now"} {
		require.Empty(t, r.Find(text), text)
		require.Equal(t, text, r.Text(text))
	}
}

func TestUserinfo_IsFoundWithoutAScheme(t *testing.T) {
	require.Equal(t, "://[REDACTED]@mq/", newRedactor(t, redact.Config{}).Text("://shop:secret@mq/"))
}

func TestIPv6_IsFoundAtItsShortest(t *testing.T) {
	require.True(t, newRedactor(t, redact.Config{}).Value("1::2"))
}

func TestAuthorization_IsFoundByOneDigitOrCapital(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	require.True(t, r.Value("basic Ijohamdh"))
	require.True(t, r.Value("bearer abcdefg1"))
	require.False(t, r.Value("bearer abcdefgh"))
}

// A country's code and five digits are the shortest number with separators.
func TestPhone_OfEightDigitsNeedsASeparator(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for text, want := range map[string]bool{"+298 12345": true, "+298 1234": false, "+29812345": false, "+298123456": false, "+2981234567": true} {
		require.Equal(t, want, r.Value(text), text)
	}
}

// The signs of a text are counted in a word that a long text would run over.
func TestValue_FindsBehindAnyNumberOfSigns(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for _, sign := range []string{"1", "A", ".", ":", "-", "/"} {
		for n := range 2100 {
			before := strings.Repeat(sign, n) + " "
			require.True(t, r.Value(before+"4111 1111 1111 1111"), "%d %s", n, sign)
			require.True(t, r.Value(before+"eve@example.com"), "%d %s", n, sign)
		}
	}
}
