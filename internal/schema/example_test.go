package schema_test

import (
	"fmt"
	"reflect"

	"github.com/warrenmq/warren/internal/schema"
)

func ExampleBuild() {
	type Job struct {
		Name string `json:"name"`
		Done chan bool
	}
	set := schema.Build([]schema.Type{schema.Reflect(reflect.TypeFor[Job]())})
	for _, problem := range set.Problems {
		fmt.Println(problem.Text())
	}
	job := set.Components[0]
	fmt.Println(set.Payloads[0].Ref)
	fmt.Println(job.Key, job.Schema.Properties.Get("name").Type)
	// Output:
	// Job.Done (chan bool): a chan has no JSON form: leave the field out by the tag json:"-"
	// #/components/schemas/Job
	// Job [string]
}
