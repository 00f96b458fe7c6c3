package mgmt

// For the tests outside of the package.
const IdleTimeout = idleTimeout

// NewPool is the default transport.
var NewPool = newPool

// HashWith is HashPassword with a salt of its own.
var HashWith = hashPassword
