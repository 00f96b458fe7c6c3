package mgmt

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/warrenmq/warren/internal/masked"
)

// UserSettings are the password and the tags of a user; a password is set in one
// way at most. What isn't set stays as it is. Printed, logged or encoded they come
// without the password and the hash.
type UserSettings struct {
	Password     string
	PasswordHash string // as by HashPassword
	NoPassword   bool   // the user can't log in by a password, but by a certificate, for one

	// Tags are "administrator", "monitoring", "policymaker" and "management". Nil
	// leaves them as they are; an empty slice removes them.
	Tags []string
}

// check refuses settings that contradict each other.
func (s UserSettings) check() error {
	ways := 0
	for _, set := range []bool{s.Password != "", s.PasswordHash != "", s.NoPassword} {
		if set {
			ways++
		}
	}
	if ways > 1 {
		return errors.New("the settings Password, PasswordHash and NoPassword exclude each other: set one of them")
	}
	return nil
}

func (s UserSettings) keepsPassword() bool {
	return s.Password == "" && s.PasswordHash == "" && !s.NoPassword
}

// userBody is what the API takes. It always replaces both, and deletes what isn't
// there.
type userBody struct {
	Password         string  `json:"password,omitempty"`
	PasswordHash     *string `json:"password_hash,omitempty"` // empty for no password
	HashingAlgorithm string  `json:"hashing_algorithm,omitempty"`
	Tags             string  `json:"tags"` // every version takes one text
}

// body returns s, with what isn't set as it is.
func (s UserSettings) body(is UserInfo) userBody {
	body := userBody{Password: s.Password, Tags: strings.Join(s.Tags, ",")}
	if s.Tags == nil {
		body.Tags = strings.Join(is.Tags, ",")
	}
	switch {
	case s.keepsPassword():
		body.PasswordHash, body.HashingAlgorithm = &is.PasswordHash, is.HashingAlgorithm
	case s.Password == "":
		body.PasswordHash = &s.PasswordHash
	}
	return body
}

// String describes the settings without the password.
func (s UserSettings) String() string { return fmt.Sprintf("mgmt.UserSettings{Tags: %q}", s.Tags) }

// GoString is String.
func (s UserSettings) GoString() string { return s.String() }

// Format is String for every verb.
func (s UserSettings) Format(f fmt.State, _ rune) { masked.Format(f, s) }

// LogValue is what slog shows.
func (s UserSettings) LogValue() slog.Value { return masked.LogValue(s) }

// MarshalJSON writes the data, with "***" for the password and the hash.
func (s UserSettings) MarshalJSON() ([]byte, error) {
	type fields UserSettings
	s.Password, s.PasswordHash = hide(s.Password), hide(s.PasswordHash)
	return json.Marshal(fields(s))
}

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

// PutUser creates a user, or changes one. The API replaces the whole user, so that
// of settings without a password, or without tags, the user is read first, and a
// change that somebody else makes in between is undone. A user that doesn't exist
// needs a password, or NoPassword.
//
// GET /api/users/{user}
// PUT /api/users/{user}
func (c *Client) PutUser(ctx context.Context, name string, settings UserSettings) error {
	r := put("put user", name, "", user(name), nil)
	if err := settings.check(); err != nil {
		return r.fail(err)
	}
	var is UserInfo
	if settings.keepsPassword() || settings.Tags == nil {
		var err error
		is, err = c.User(ctx, name)
		isNew := errors.Is(err, ErrNotFound)
		switch {
		case isNew && settings.keepsPassword():
			return r.fail(fmt.Errorf("%w: a new user needs a Password, a PasswordHash, or NoPassword", err))
		case err != nil && !isNew:
			return err
		}
	}
	r.body = settings.body(is)
	return c.call(ctx, r, nil)
}

// PutUserWithoutPassword creates a user that can't log in by a password, or takes
// its password from one. It is PutUser with NoPassword.
//
// PUT /api/users/{user}
func (c *Client) PutUserWithoutPassword(ctx context.Context, name string, tags ...string) error {
	return c.PutUser(ctx, name, UserSettings{NoPassword: true, Tags: append([]string{}, tags...)})
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
