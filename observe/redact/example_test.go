package redact_test

import (
	"fmt"
	"regexp"

	"github.com/warrenmq/warren/observe/redact"
)

func ExampleRedactor_Text() {
	r, err := redact.New(redact.Config{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Text("mail from ann@example.com by amqp://shop:hunter2@rabbit:5672"))
	// Output: mail from [REDACTED] by amqp://[REDACTED]@rabbit:5672
}

func ExampleRedactor_Key() {
	r, err := redact.New(redact.Config{Keys: []string{"loyalty number"}})
	if err != nil {
		panic(err)
	}
	for _, key := range []string{"userEmail", "X-Loyalty-Number", "author"} {
		fmt.Println(key, r.Key(key))
	}
	// Output:
	// userEmail true
	// X-Loyalty-Number true
	// author false
}

func ExampleRedactor_Find() {
	r, err := redact.New(redact.Config{Patterns: []*regexp.Regexp{regexp.MustCompile(`\bL-[0-9]{6}\b`)}})
	if err != nil {
		panic(err)
	}
	for _, m := range r.Find("card 4111 1111 1111 1111, loyalty L-004711") {
		fmt.Println(m.Start, m.End, m.Kind)
	}
	// Output:
	// 5 24 card
	// 34 42 custom
}

func ExampleRedactor_AppendJSON() {
	r, err := redact.New(redact.Config{})
	if err != nil {
		panic(err)
	}
	masked, err := r.AppendJSON(nil, []byte(`{"order": 7, "customer": {"email": "ann@example.com"}}`))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n", masked)
	// Output: {"order":7,"customer":{"email":"[REDACTED]"}}
}
