//go:build !goexperiment.jsonv2

package schema_test

// namesByEngine are those of TestRule21_Names.
var namesByEngine = []string{"a-b.c/d $%", "ключ", "Quote", "Apostrophe", "Backslash", "-", "Unknown", "Other"}

// quotedIntByEngine is the pattern of an int that is read in quotes.
const quotedIntByEngine = `^(-?[0-9]+|null)$`

// repeatsNames reports whether an object has two members of one name, which this
// engine doesn't write.
func repeatsNames([]byte) bool { return false }
