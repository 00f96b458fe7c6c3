package specschema

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// dangling returns an error for each $ref under value, which is at the JSON
// pointer at, that leads nowhere in document.
func dangling(document, value any, at string) []error {
	var errs []error
	switch value := value.(type) {
	case map[string]any:
		if ref, ok := value["$ref"].(string); ok && !leads(document, ref) {
			errs = append(errs, fmt.Errorf("at %s: %q leads nowhere", at, ref))
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			errs = append(errs, dangling(document, value[name], at+"/"+name)...)
		}
	case []any:
		for i, element := range value {
			errs = append(errs, dangling(document, element, at+"/"+strconv.Itoa(i))...)
		}
	}
	return errs
}

// leads reports whether ref is a JSON pointer in a URI fragment (RFC 6901,
// section 6) to an object of the document. References to elsewhere are never
// written by us, so they lead nowhere.
func leads(document any, ref string) bool {
	pointer, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return false
	}
	pointer, err := url.PathUnescape(pointer)
	if err != nil {
		return false
	}
	for name := range strings.SplitSeq(pointer, "/") {
		object, isObject := document.(map[string]any)
		if !isObject {
			return false
		}
		if document, ok = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]; !ok {
			return false
		}
	}
	return true
}
