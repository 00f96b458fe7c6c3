package mgmt

// IdleTimeout is for the tests outside of the package, as is all of this file.
const IdleTimeout = idleTimeout

// NewPool is the default transport.
var NewPool = newPool

// HashWith is HashPassword with a given salt.
var HashWith = hashPassword

// KeepIdle makes a client with the default transport keep idle connections until
// it is closed. It comes before the first call.
func KeepIdle(c *Client) {
	if _, err := c.session(); err != nil {
		panic(err)
	}
	c.pool.IdleConnTimeout = 0
}
