package example

import (
	"encoding/base64"
	"encoding/json"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"time"
)

// formats are those of texts that validators check, each with texts that have it.
var formats = map[string][]string{
	"date-time":             {"2026-01-02T15:04:05Z"},
	"date":                  {"2026-01-02"},
	"time":                  {"15:04:05Z"},
	"duration":              {"PT1H"},
	"email":                 {"ann@example.com"},
	"idn-email":             {"ann@example.com"},
	"hostname":              {"example.com"},
	"idn-hostname":          {"example.com"},
	"ipv4":                  {"192.0.2.1"},
	"ipv6":                  {"2001:db8::1"},
	"uri":                   {"https://example.com/a"},
	"uri-reference":         {"/a"},
	"iri":                   {"https://example.com/a"},
	"iri-reference":         {"/a"},
	"uri-template":          {"/a/{b}"},
	"uuid":                  {"123e4567-e89b-12d3-a456-426614174000"},
	"json-pointer":          {"/a"},
	"relative-json-pointer": {"0/a"},
	"regex":                 {"a+"},
}

// uuid is as RFC 9562 writes it.
const uuidPattern = `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`

var isUUID = regexp.MustCompile(uuidPattern).MatchString

// hasFormat reports whether a text surely has a format. Formats that no validator
// checks are had by all texts.
func hasFormat(format, text string) bool {
	known, checked := formats[format]
	if !checked || slices.Contains(known, text) {
		return true
	}
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339Nano, text)
	case "date":
		_, err = time.Parse(time.DateOnly, text)
	case "email":
		var address *mail.Address
		if address, err = mail.ParseAddress(text); err == nil {
			return address.Address == text
		}
	case "ipv4", "ipv6":
		var address netip.Addr
		if address, err = netip.ParseAddr(text); err == nil {
			return address.Is4() == (format == "ipv4") && address.Zone() == ""
		}
	case "uri":
		var parsed *url.URL
		if parsed, err = url.Parse(text); err == nil {
			return parsed.IsAbs()
		}
	case "uuid":
		return isUUID(text)
	default:
		return false
	}
	return err == nil
}

// isEncoded reports whether a text is what contentEncoding and contentMediaType say,
// as far as validators check them.
func isEncoded(encoding, media, text string) bool {
	content := []byte(text)
	if encoding == "base64" {
		var err error
		if content, err = base64.StdEncoding.DecodeString(text); err != nil {
			return false
		}
	}
	return media != "application/json" || json.Valid(content)
}
