package redact_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/redact"
)

var update = flag.Bool("update", false, "write the report of the corpus anew")

func newRedactor(t testing.TB, c redact.Config) *redact.Redactor {
	t.Helper()
	r, err := redact.New(c)
	require.NoError(t, err)
	return r
}

// corpus returns the lines of a file that aren't comments.
func corpus(t testing.TB, name string) []string {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	var lines []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		if line := scanner.Text(); line != "" && !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestValue_FindsNothingInCleanValues(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for _, line := range corpus(t, "clean.txt") {
		require.Empty(t, r.Find(line), line)
		require.False(t, r.Value(line), line)
		require.Equal(t, line, r.Text(line))
	}
}

// TestValue_FindsPersonalData holds the hit rates to those of the report.
func TestValue_FindsPersonalData(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	type rate struct{ found, all int }
	rates := map[string]*rate{}
	var kinds, missed []string
	for _, line := range corpus(t, "personal.txt") {
		kind, value, ok := strings.Cut(line, "\t")
		require.True(t, ok, line)
		if rates[kind] == nil {
			rates[kind] = new(rate)
			kinds = append(kinds, kind)
		}
		rates[kind].all++
		hit := false
		for _, m := range r.Find(value) {
			hit = hit || m.Kind.String() == kind
		}
		if hit {
			rates[kind].found++
		} else {
			missed = append(missed, line)
		}
	}
	var report strings.Builder
	fmt.Fprintf(&report, "# What the detectors find in the corpus\n\nWritten by `go test ./observe/redact -update`.\n\n| kind | found | of |\n|---|---|---|\n")
	for _, kind := range kinds {
		fmt.Fprintf(&report, "| %s | %d | %d |\n", kind, rates[kind].found, rates[kind].all)
	}
	fmt.Fprintf(&report, "\nFalse positives in %d clean values: 0.\n", len(corpus(t, "clean.txt")))
	if len(missed) > 0 {
		fmt.Fprintf(&report, "\nMissed:\n\n    %s\n", strings.Join(missed, "\n    "))
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/report.md", []byte(report.String()), 0o644))
	}
	want, err := os.ReadFile("testdata/report.md")
	require.NoError(t, err)
	require.Equal(t, string(want), report.String())
}

func TestC27_MaskIsREDACTED(t *testing.T) {
	require.Equal(t, "[REDACTED]", redact.Mask)
}

func TestKey_IsFoundByWords(t *testing.T) {
	r := newRedactor(t, redact.Config{Keys: []string{"loyalty number"}, ExceptKeys: []string{"support email"}})
	for _, test := range []struct {
		want bool
		keys []string
	}{
		{true, []string{
			"password", "Password", "userPassword", "user_password", "PASSWORD", "db.password", "X-Api-Key", "apiKey", "APIKey", "userEmail",
			"E-Mail", "firstName", "date_of_birth", "accessToken", "HTTPAuthorization", "creditCard", "card_number", "loyaltyNumber", "myLoyaltyNumber",
			"socialSecurityNumber", "refresh-token", "bankAccount", "addressLine2", "password1", "dbpassword", "accesstoken2", "client.secret",
			"auth", "basic_auth", "authHeader", "sessionId", "session_id", "sshKey", "cardNo", "pan", "cardPAN", "csrf_token",
			"user/password", "Proxy-Authorization", "Set-Cookie", "user password", "ÜberPassword", "__token__", "PIN", "TOKEN2",
		}},
		{false, []string{
			"author", "tokenizer", "secretary", "zip", "keyboard", "pinned", "compass", "tokenCount", "email_verified", "passwordChangedAt",
			"support_email", "SupportEmail", "", "_", "order", "numberOfLines", "cardinality", "phonetic", "emailsSent", "token_type",
			"next_token", "nextPageToken", "page_token", "pagetoken", "continuation_token", "continuationToken", "auth_method", "panel", "pan_id",
			"microphone", "tokens", "max_tokens", "address2", "123",
		}},
	} {
		for _, key := range test.keys {
			require.Equal(t, test.want, r.Key(key), key)
		}
	}
}

func TestText_MasksWhatIsNotSearched(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: 20})
	require.Equal(t, strings.Repeat("x", 20), r.Text(strings.Repeat("x", 20)))
	require.Equal(t, strings.Repeat("x", 20)+redact.Mask, r.Text(strings.Repeat("x", 21)))
	require.Equal(t, "xx "+redact.Mask, r.Text("xx 4111 1111 1111 1111 and more"), "what begins before the bound is found")
	require.Equal(t, strings.Repeat("x", 19)+redact.Mask, r.Text(strings.Repeat("x", 19)+"éé"), "no character is cut")
	require.True(t, r.Value(strings.Repeat("x", 21)))
	require.Equal(t, []redact.Match{{Start: 20, End: 30, Kind: redact.Unsearched}}, r.Find(strings.Repeat("x", 30)))
	dst, err := r.AppendJSON(nil, []byte(`{"a":"`+strings.Repeat("x", 30)+`"}`))
	require.NoError(t, err)
	require.Equal(t, `"[REDACTED]"`, string(dst))

	long := strings.Repeat("x", 1<<20)
	require.Len(t, newRedactor(t, redact.Config{}).Text(long), 64<<10+len(redact.Mask))
	require.Equal(t, long, newRedactor(t, redact.Config{MaxLength: -1}).Text(long))
}

func TestConfig_PatternsAndExceptions(t *testing.T) {
	r := newRedactor(t, redact.Config{
		Patterns:     []*regexp.Regexp{regexp.MustCompile(`\bC-\d{4}\b`)},
		ExceptValues: []*regexp.Regexp{regexp.MustCompile(`.*@example\.com`), regexp.MustCompile(`C-0000`)},
		Without:      []redact.Kind{redact.IP},
	})
	require.Equal(t, "customer [REDACTED] of C-0000", r.Text("customer C-1001 of C-0000"))
	require.Equal(t, "ann@example.com and [REDACTED]", r.Text("ann@example.com and bob@example.org"))
	require.False(t, r.Value("203.0.113.7"))
	require.Equal(t, []redact.Match{{Start: 0, End: 6, Kind: redact.Custom}}, r.Find("C-1001"))
}

func TestNew_Refuses(t *testing.T) {
	for _, c := range []redact.Config{
		{Keys: []string{""}},
		{Keys: []string{"one two three four"}},
		{Patterns: []*regexp.Regexp{nil}},
		{ExceptValues: []*regexp.Regexp{nil}},
		{Patterns: []*regexp.Regexp{regexp.MustCompile(`a*`)}},
		{Without: []redact.Kind{99}},
	} {
		_, err := redact.New(c)
		require.Error(t, err)
	}
}

func TestText_MasksOnlyWhatIsFound(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for text, want := range map[string]string{
		"from ann@example.com to bob@example.com":                            "from [REDACTED] to [REDACTED]",
		"dial amqp://user:pass@rabbit:5672/ from 203.0.113.7":                "dial amqp://[REDACTED]@rabbit:5672/ from [REDACTED]",
		"4111 1111 1111 1111 5555 5555 5555 4444":                            "[REDACTED] [REDACTED]",
		"login of ann@example.com with password=hunter2, twice":              "login of [REDACTED] with password=[REDACTED], twice",
		"amqp://user:ann@example.com@rabbit":                                 "amqp://[REDACTED]@rabbit",
		"-----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nafter": "[REDACTED]\nafter",
	} {
		require.Equal(t, want, r.Text(text))
	}
}

func TestRedactor_NilFindsNothing(t *testing.T) {
	var r *redact.Redactor
	require.False(t, r.Key("password"))
	require.False(t, r.Value("ann@example.com"))
	require.False(t, r.Number(4111111111111111))
	require.Equal(t, "ann@example.com", r.Text("ann@example.com"))
	got, err := r.AppendJSON(nil, []byte(` { "password" : "x" } `))
	require.NoError(t, err)
	require.Equal(t, `{"password":"x"}`, string(got))
}

func TestNumber_IsACardOrNothing(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for n, want := range map[uint64]bool{4111111111111111: true, 378282246310005: true, 4111111111111112: false, 1700000000000: false, 1541815603606036480: false, 1<<64 - 1: false} {
		require.Equal(t, want, r.Number(n), n)
	}
	for f, want := range map[float64]bool{4111111111111111: true, 4111111111111111.5: false, -4111111111111111: false, 4.111111111111111e22: false, math.Inf(1): false} {
		require.Equal(t, want, r.Float(f), f)
	}
	require.False(t, r.Float(math.NaN()))
	require.False(t, newRedactor(t, redact.Config{Without: []redact.Kind{redact.Card}}).Number(4111111111111111))
}

func TestAppendJSON_MasksAtAnyDepth(t *testing.T) {
	r := newRedactor(t, redact.Config{ExceptKeys: []string{"public"}})
	for _, test := range []struct{ in, want string }{
		{`{"a":{"password":{"x":1}},"b":[{"note":"ann@example.com"}]}`, `{"a":{"password":"[REDACTED]"},"b":[{"note":"[REDACTED]"}]}`},
		{`{"public":{"note":"ann@example.com","pin":1}}`, `{"public":{"note":"ann@example.com","pin":1}}`},
		{`{"password":null,"n":4111111111111111,"m":-1.5e3}`, `{"password":null,"n":"[REDACTED]","m":-1.5e3}`},
		{`{"p\u0061ssword":"x","ann@example.com":1}`, `{"p\u0061ssword":"[REDACTED]","[REDACTED]":1}`},
		{`["ann\u0040example.com","\u00e9"]`, `["[REDACTED]","\u00e9"]`},
		{`{"a":1,"b":2,"a":3}`, `{"b":2,"a":3}`},
		{`{"a":1,"\u0061":2}`, `{"\u0061":2}`},
		{`{"a":1,"b":2,"b":3,"a":4,"c":5,"b":6}`, `{"a":4,"c":5,"b":6}`},
		{` [ 1 , true , null , { } , [ ] ] `, `[1,true,null,{},[]]`},
		{"\"a\xff\"", "\"a\ufffd\""},
		{"{\"k\u2028\":\"a\u2029\"}", `{"k\u2028":"a\u2029"}`},
	} {
		got, err := r.AppendJSON([]byte("before"), []byte(test.in))
		require.NoError(t, err, test.in)
		require.Equal(t, "before"+test.want, string(got))
	}
}

func TestAppendJSON_RefusesWhatIsNoJSON(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for _, text := range []string{"", "{", "[1", `{"a"}`, `{"a":}`, "1 2", "nul", `"a`, `{"a":1,}`, `{"a":"\x"}`, strings.Repeat("[", 300) + strings.Repeat("]", 300)} {
		got, err := r.AppendJSON([]byte("before"), []byte(text))
		require.Error(t, err, text)
		require.Equal(t, "before", string(got))
	}
}

func TestField_RemembersABoundedNumberOfKeys(t *testing.T) {
	const keys, bound = 3000, 1024
	r := newRedactor(t, redact.Config{})
	key := func(i int) string { return fmt.Sprintf("password_%c%d", 'a'+i%26, i) }
	for i := range keys {
		require.True(t, r.Key(key(i)))
	}
	for i, remembered := range map[int]bool{0: true, bound - 1: true, bound: false, keys - 1: false} {
		key := key(i)
		require.Equal(t, remembered, testing.AllocsPerRun(100, func() { r.Key(key) }) == 0, i)
	}
}

func TestField_DoesntRememberALongKey(t *testing.T) {
	r := newRedactor(t, redact.Config{})
	for length, remembered := range map[int]bool{64: true, 65: false} {
		key := strings.Repeat("a", length)
		r.Key(key)
		require.Equal(t, remembered, testing.AllocsPerRun(100, func() { r.Key(key) }) == 0, length)
	}
}

// FuzzText: masking never panics, keeps what isn't found, and never cuts a
// character in two.
func FuzzText(f *testing.F) {
	for _, name := range []string{"clean.txt", "personal.txt"} {
		for _, line := range corpus(f, name) {
			f.Add(line)
		}
	}
	r := newRedactor(f, redact.Config{})
	f.Fuzz(func(t *testing.T, text string) {
		matches := r.Find(text)
		require.Equal(t, len(matches) > 0, r.Value(text))
		end := 0
		for _, m := range matches {
			require.True(t, end <= m.Start && m.Start < m.End && m.End <= len(text), "%v", matches)
			end = m.End
		}
		masked := r.Text(text)
		if len(matches) == 0 {
			require.Equal(t, text, masked)
		}
		require.True(t, !utf8.ValidString(text) || utf8.ValidString(masked), "%q", masked)
	})
}

// FuzzJSON: what encoding/json reads stays what it was, but for what is masked;
// the rest is refused.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"a":[1,"b",null,{"c":true}]}`, `{"a":1,"b":2,"a":3}`, `"\ud800"`, `{"":{"":{}}}`, "[1e999]"} {
		f.Add([]byte(text))
	}
	var none *redact.Redactor
	r := newRedactor(f, redact.Config{})
	f.Fuzz(func(t *testing.T, text []byte) {
		masked, err := r.AppendJSON(nil, text)
		if err == nil {
			require.True(t, json.Valid(masked), "%q", masked)
			require.True(t, utf8.Valid(masked), "%q", masked)
		}
		copied, err := none.AppendJSON(nil, text)
		if !json.Valid(text) {
			return
		}
		require.NoError(t, err)
		var want, got any
		if json.Unmarshal(text, &want) != nil {
			return
		}
		require.NoError(t, json.Unmarshal(copied, &got))
		require.Equal(t, want, got)
	})
}
