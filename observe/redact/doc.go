// Package redact finds personal data and credentials in log records, by the
// name of a field and by its value.
//
//	r, err := redact.New(redact.Config{Keys: []string{"loyalty number"}})
//	if err != nil {
//		return err
//	}
//	r.Key("userEmail")                     // true: whatever it holds is masked
//	r.Value("4111 1111 1111 1111")         // true: a card number
//	r.Text("mail from ann@example.com")    // "mail from [REDACTED]"
//
// Values are found by detectors that check what they find: cards by their issuer
// and the Luhn sum, IBANs by their country's length and the sum modulo 97, social
// security numbers by their area, addresses by parsing them. They are written by
// hand and run in one pass over a string's byte classes first: a clean string of
// 20 bytes costs some tens of nanoseconds, where regular expressions cost
// microseconds.
//
// It never promises to find everything: names of persons, national phone numbers
// and free text have no form that could be checked. Name such fields by
// [Config].Keys. It never takes longer than linear time, whatever the text, and
// never keeps a value.
//
// It compiles nothing but the standard library.
package redact
