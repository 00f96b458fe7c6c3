package mgmt

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/warrenmq/warren/internal/masked"
)

// UserSettings are the password and the tags of a user. With neither Password
// nor PasswordHash the user can't log in by password. Printed, logged or
// encoded they come without either.
type UserSettings struct {
	Password     string
	PasswordHash string   // as by HashPassword; it has precedence
	Tags         []string // "administrator", "monitoring", "policymaker", "management"
}

func (s UserSettings) body() any {
	tags := strings.Join(s.Tags, ",") // every version takes one text
	if s.Password != "" && s.PasswordHash == "" {
		return struct {
			Password string `json:"password"`
			Tags     string `json:"tags"`
		}{s.Password, tags}
	}
	return struct {
		PasswordHash string `json:"password_hash"`
		Tags         string `json:"tags"`
	}{s.PasswordHash, tags}
}

// String describes the settings without the password.
func (s UserSettings) String() string { return fmt.Sprintf("mgmt.UserSettings{Tags: %q}", s.Tags) }

// GoString is String.
func (s UserSettings) GoString() string { return s.String() }

// Format is String for every verb.
func (s UserSettings) Format(f fmt.State, _ rune) { masked.Format(f, s) }

// LogValue is what slog shows.
func (s UserSettings) LogValue() slog.Value { return masked.LogValue(s) }

// MarshalJSON is String, as a JSON string.
func (s UserSettings) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(s) }

// HashPassword returns the salted SHA-256 hash that RabbitMQ stores of a
// password, in base64. In UserSettings and definitions it replaces the
// password, which then needn't be sent or kept. Each call chooses another salt.
func HashPassword(password string) string {
	salt := make([]byte, 4)
	rand.Read(salt) // never fails
	return hashPassword(salt, password)
}

func hashPassword(salt []byte, password string) string {
	sum := sha256.Sum256(append(salt[:len(salt):len(salt)], password...))
	return base64.StdEncoding.EncodeToString(append(salt[:len(salt):len(salt)], sum[:]...))
}

// UserInfo is a user as the broker reports it.
type UserInfo struct {
	Name             string  `json:"name"`
	PasswordHash     string  `json:"password_hash"`
	HashingAlgorithm string  `json:"hashing_algorithm"`
	Tags             Strings `json:"tags"`
	Limits           Table   `json:"limits"`
}

// Strings is a list of texts. Where a version writes one text instead, its parts
// between commas are the list.
type Strings []string

// UnmarshalJSON never fails on valid JSON: what isn't text is kept as its JSON.
func (s *Strings) UnmarshalJSON(data []byte) error {
	*s = nil
	var text string
	if json.Unmarshal(data, &text) == nil {
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				*s = append(*s, part)
			}
		}
		return nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(data, &parts) != nil {
		parts = []json.RawMessage{bytes.TrimSpace(data)}
	}
	for _, part := range parts {
		*s = append(*s, plain(part))
	}
	return nil
}

func user(name string) path { return under("users").name("user", name) }

// PutUser creates a user, or replaces one with its password and tags.
//
// PUT /api/users/{user}
func (c *Client) PutUser(ctx context.Context, name string, settings UserSettings) error {
	return c.call(ctx, put("put user", name, "", user(name), settings.body()), nil)
}

// DeleteUser deletes a user. Its connections end.
//
// DELETE /api/users/{user}
func (c *Client) DeleteUser(ctx context.Context, name string) error {
	return c.call(ctx, del("delete user", name, "", user(name)), nil)
}

// DeleteUsers deletes users in one call. One that doesn't exist is an error
// with status 400 on 3.10, and none on 4.x.
//
// POST /api/users/bulk-delete
func (c *Client) DeleteUsers(ctx context.Context, names ...string) error {
	body := Table{"users": names}
	return c.call(ctx, request{operation: "delete users", method: http.MethodPost, path: under("users/bulk-delete"), body: body}, nil)
}

// User reads a user.
//
// GET /api/users/{user}
func (c *Client) User(ctx context.Context, name string) (UserInfo, error) {
	return read[UserInfo](ctx, c, get("read user", name, "", user(name)))
}

// Users lists the users.
//
// GET /api/users
func (c *Client) Users(ctx context.Context) ([]UserInfo, error) {
	return list[UserInfo](ctx, c, get("list users", "", "", under("users")), nil)
}

// UsersWithoutPermissions lists the users that have no permissions in any
// virtual host.
//
// GET /api/users/without-permissions
func (c *Client) UsersWithoutPermissions(ctx context.Context) ([]UserInfo, error) {
	return list[UserInfo](ctx, c, get("list users without permissions", "", "", under("users/without-permissions")), nil)
}

// UserPermissions lists the permissions of a user, one entry for each virtual
// host.
//
// GET /api/users/{user}/permissions
func (c *Client) UserPermissions(ctx context.Context, name string) ([]PermissionInfo, error) {
	return list[PermissionInfo](ctx, c, get("list permissions of user", name, "", user(name).and("permissions")), nil)
}

// UserTopicPermissions lists the topic permissions of a user.
//
// GET /api/users/{user}/topic-permissions
func (c *Client) UserTopicPermissions(ctx context.Context, name string) ([]TopicPermissionInfo, error) {
	return list[TopicPermissionInfo](ctx, c, get("list topic permissions of user", name, "", user(name).and("topic-permissions")), nil)
}

// WhoAmI reads the user that the client logs in as.
//
// GET /api/whoami
func (c *Client) WhoAmI(ctx context.Context) (UserInfo, error) {
	return read[UserInfo](ctx, c, get("read own user", "", "", under("whoami")))
}
