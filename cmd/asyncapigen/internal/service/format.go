package service

import "errors"

// A Format is how what is found is printed.
type Format string

// The formats. Text is the zero Format.
const (
	Text   Format = ""
	JSON   Format = "json"
	GitHub Format = "github"
	SARIF  Format = "sarif"
)

// Set takes the name of a format.
func (f *Format) Set(name string) error {
	switch Format(name) {
	case "text":
		*f = Text
	case JSON, GitHub, SARIF:
		*f = Format(name)
	default:
		return errors.New("it is text, json, github or sarif")
	}
	return nil
}
