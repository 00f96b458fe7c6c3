package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cputime"
	"github.com/warrenmq/warren/observe/redact"
)

// A client that has a text logged must not be able to hold the program up by it.
func TestText_TakesLinearTime(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: -1})
	// so that every detector may run, and finds nothing that ends the search
	const all = `é@1.2.3.4:: =+ ___-----Ab12345678"%`
	const size = 12 << 10
	for _, unit := range []string{
		"1", "1 ", "1.", "1.1.1.1 ", "1:", "a::", "1-", "4111 ", "4111111111111111 ",
		"a@", "@", "a@a.", "a@a.a@", "a%40", "ann@example.com ",
		"+1 ", "+1(", "(212", "212-555-", "212 555 0123 ", "+12125550123 ", "123-45-6789 ", "123-45-6789 1 1 1 ", "123456789 ",
		"://", "a:b@c://", "a://b:c@d ", "token=$", "token=", "token = ", "password='", `"token":"`, `\"token\":\"`, `x="`,
		"-AIza", "-ghp_", "sk-ant-", "eyJ", "eyJ.", "eyJabcdef.ey.", " bearer", " basic a",
		"-----BEGIN ", "-----BEGIN PRIVATE KEY", "DE89 ", "GB82", "é1", "a.b.c ", "é",
	} {
		for _, form := range []string{all + "%s", "%s" + all} {
			cputime.RequireLinear(t, unit, size, func(size int) func() {
				text := strings.Replace(form, "%s", strings.Repeat(unit, size/len(unit)), 1)
				return func() { r.Text(text) }
			})
		}
	}
}

func TestKey_TakesLinearTime(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: -1})
	cputime.RequireLinear(t, "aB1_", 3<<10, func(size int) func() {
		key := strings.Repeat("aB1_", size)
		return func() { r.Key(key) }
	})
}

// object returns an object of n members, of which the name says what they are.
func object(n int, name func(i int) string) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,%q:1`, name(i))
	}
	return []byte("{" + strings.TrimPrefix(b.String(), ",") + "}")
}

func TestAppendJSON_TakesLinearTime(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: -1})
	for name, test := range map[string]struct {
		name func(n int) func(i int) string
		want func(n int) int // members that are left
	}{
		"different": {
			func(int) func(int) string { return func(i int) string { return fmt.Sprintf("k%d", i) } },
			func(n int) int { return n },
		},
		"twice": {
			func(n int) func(int) string { return func(i int) string { return fmt.Sprintf("k%d", i%(n/2)) } },
			func(n int) int { return n / 2 },
		},
		"masked": {
			func(int) func(int) string { return func(i int) string { return fmt.Sprintf("p%d@example.com", i) } },
			func(int) int { return 1 },
		},
	} {
		cputime.RequireLinear(t, name, 2500, func(size int) func() {
			text := object(size, test.name(size))
			got, err := r.AppendJSON(nil, text)
			require.NoError(t, err)
			var members map[string]int
			require.NoError(t, json.Unmarshal(got, &members))
			require.Len(t, members, test.want(size))
			require.Equal(t, len(members), strings.Count(string(got), ":"), "none comes twice")
			return func() { _, _ = r.AppendJSON(nil, text) }
		})
	}
}

// Only what is personal is taken out of texts of other scripts and signs.
func TestText_ReadsAllScripts(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: -1})
	for text, want := range map[string]string{
		"Adresse: “ann@example.com”, danke": "Adresse: “[REDACTED]”, danke",
		"ann@example.com…":                  "[REDACTED]…",
		"«ann@example.com»":                 "«[REDACTED]»",
		"宛先：ann@example.com。次":              "宛先：[REDACTED]。次",
		"ann@example.comは無効です":              "[REDACTED]は無効です",
		"müller@bücher.example, ja":         "[REDACTED], ja",
		"anna@пример.рф ответила":           "[REDACTED] ответила",
		"卡号4111111111111111无效":              "卡号[REDACTED]无效",
		"電話：+81 3 1234 5678。":               "電話：[REDACTED]。",
		"从203.0.113.7连接":                    "从[REDACTED]连接",
		"IP：2001:db8::1、2001:db8::2":        "IP：[REDACTED]、[REDACTED]",
		"№4111111111111111":                 "№[REDACTED]",
		"é4111111111111111":                 "é4111111111111111",
		"\xff4111111111111111\xff":          "\xff[REDACTED]\xff",
		"ssn：123456789":                     "ssn：[REDACTED]",
	} {
		require.Equal(t, want, r.Text(text))
	}
}

func TestText_MasksSeveralFinds(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: -1})
	for text, want := range map[string]string{
		"4111111111111111,5555555555554444;378282246310005":             "[REDACTED],[REDACTED];[REDACTED]",
		"4111 1111 1111 1111 5555 5555 5555 4444 3782 822463 10005":     "[REDACTED] [REDACTED] [REDACTED]",
		"id 1234 4111 1111 1111 1111":                                   "id 1234 [REDACTED]",
		"amqp://u:p@a:5672,amqps://u:q@b/v":                             "amqp://[REDACTED]@a:5672,amqps://[REDACTED]@b/v",
		"redis://:s3cret@cache":                                         "redis://[REDACTED]@cache",
		"/users?email=ann%40example.com&page=2":                         "/users?email=[REDACTED]&page=2",
		"server 203.0.113.7, server=203.0.113.8, SERVER: 203.0.113.9":   "server [REDACTED], server=[REDACTED], SERVER: [REDACTED]",
		"GET https://geo.example/203.0.113.7 by appVersion 1.2.3.4":     "GET https://geo.example/[REDACTED] by appVersion 1.2.3.4",
		"+1 212 555 0123 1767366245123":                                 "[REDACTED] 1767366245123",
		"phone 212 555 0123":                                            "phone [REDACTED]",
		"sizes [256 512 1024]":                                          "sizes [256 512 1024]",
		"userSSN 123456789, className 123456789":                        "userSSN [REDACTED], className [REDACTED]",
		`{"user":"ann","password":"hunter2","n":1}`:                     `{"user":"ann","password":"[REDACTED]","n":1}`,
		`body="{\"clientSecret\": \"abc def\", \"n\":1}"`:               `body="{\"clientSecret\": \"[REDACTED]\", \"n\":1}"`,
		"password = hunter2; token=%41bcdef":                            "password = [REDACTED]; token=[REDACTED]",
		`password="hunter2`:                                             `password="[REDACTED]`,
		"ghp_16C7e42F292c6912E7710c838347Ae178B4aé":                     "[REDACTED]é",
		"at 2001:db8::8a2e:370:7334. text2001:db8::1 eve@x.xn--p1ai":    "at [REDACTED]. text2001:db8::1 [REDACTED]",
		"dial tcp 203.0.113.7:5672->203.0.113.8:80: connection refused": "dial tcp [REDACTED]:5672->[REDACTED]:80: connection refused",
	} {
		require.Equal(t, want, r.Text(text))
	}
}

func TestAppendJSON_LooksIntoBase64(t *testing.T) {
	r := newRedactor(t, redact.Config{MaxLength: -1})
	for value, masked := range map[string]bool{
		`{"email":"ann@example.com"}`: true, "4111111111111111": true, "order 7 taken": false, "\x00\x01\x02\x03\x04\x05\x06\x07": false,
	} {
		text, err := json.Marshal(map[string]any{"body": []byte(value)})
		require.NoError(t, err)
		got, err := r.AppendJSON(nil, text)
		require.NoError(t, err)
		require.Equal(t, masked, strings.Contains(string(got), redact.Mask), value)
	}
}
