package mgmt

import (
	"context"
	"errors"
	"net/http"
)

// byPlugin returns err as ErrPluginDisabled, if the things that only a plugin
// serves aren't served.
//
// The list of all of them is then 404. A path below it is 404 as well where the
// virtual host or the object doesn't exist, of the default virtual host it is 400
// without a text, and to be deleted 405 (measured on 3.10, 4.0 and 4.3): the list of
// all decides.
func (c *Client) byPlugin(ctx context.Context, err error, things string, scope Scope) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	isMissing := e.Status == http.StatusNotFound && e.Err == ErrNotFound
	isUnserved := e.Code == "" && (e.Status == http.StatusBadRequest || e.Status == http.StatusMethodNotAllowed)
	switch {
	case scope.all && isMissing:
		e.Err = ErrPluginDisabled
	case !scope.all && (isMissing || isUnserved):
		all := withColumns(over("list", things, AllVHosts()), "name")
		if errors.Is(c.call(ctx, all, nil), ErrNotFound) {
			e.Err = ErrPluginDisabled
		}
	}
	return err
}
