package asyncapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

type Reservation struct {
	SKU   string `json:"sku"`
	Count int    `json:"count,omitempty"`
}

func onReservation(context.Context, Reservation) error { return nil }

var reservations = []runtime.Route{{
	Name:    "stock.reserve",
	Queue:   runtime.Queue{Name: "stock.reserve", Durable: true},
	Handler: runtime.Consume(onReservation),
}}

func ExampleGenerate() {
	document, err := asyncapi.Generate(reservations, &asyncapi.Config{Title: "Stock", Version: "2.1.0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	channel := document.Channels.Get("stock.reserve")
	fmt.Println(document.Info.Title, document.Info.Version)
	fmt.Println(channel.Subscribe.OperationID, channel.Subscribe.Message.Payload.Ref)
	// Output:
	// Stock 2.1.0
	// stock.reserve #/components/schemas/Reservation
}

func ExampleGenerateJSON() {
	text, err := asyncapi.GenerateJSON(reservations, nil, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	// Output:
	// {
	//   "asyncapi": "2.6.0",
	//   "info": {
	//     "title": "warren Service",
	//     "version": "1.0.0"
	//   },
	//   "servers": {
	//     "broker": {
	//       "url": "localhost:5672",
	//       "protocol": "amqp",
	//       "description": "RabbitMQ"
	//     }
	//   },
	//   "channels": {
	//     "stock.reserve": {
	//       "subscribe": {
	//         "operationId": "stock.reserve",
	//         "message": {
	//           "name": "stock.reserve",
	//           "payload": {
	//             "$ref": "#/components/schemas/Reservation"
	//           }
	//         }
	//       },
	//       "bindings": {
	//         "amqp": {
	//           "is": "queue",
	//           "queue": {
	//             "name": "stock.reserve",
	//             "durable": true,
	//             "exclusive": false
	//           }
	//         }
	//       }
	//     }
	//   },
	//   "components": {
	//     "schemas": {
	//       "Reservation": {
	//         "title": "Reservation",
	//         "type": "object",
	//         "properties": {
	//           "sku": {
	//             "type": "string"
	//           },
	//           "count": {
	//             "type": "integer",
	//             "format": "int64"
	//           }
	//         },
	//         "required": [
	//           "sku"
	//         ]
	//       }
	//     }
	//   }
	// }
}

// Decode describes what the service accepts, rather than what encoding/json writes.
func ExampleDirection() {
	document, err := asyncapi.Generate(reservations, nil, asyncapi.Decode)
	if err != nil {
		fmt.Println(err)
		return
	}
	reservation := document.Components.Schemas.Get("Reservation")
	fmt.Println(len(reservation.Required), reservation.Properties.Get("sku").Type)
	// Output: 0 [string null]
}

// In a test, committed is the file asyncapi.json.
func ExampleDrift() {
	committed, err := asyncapi.GenerateJSON(reservations, nil, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	changed := slices.Clone(reservations)
	changed[0].Queue.Durable = false
	running, err := asyncapi.GenerateJSON(changed, nil, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(asyncapi.Drift(committed, committed))
	fmt.Println(asyncapi.Drift(committed, running))
	// Output:
	// <nil>
	// the committed document isn't that of the program: #/channels/stock.reserve/bindings/amqp/queue/durable is true, and in the program false: generate it anew
}

func ExampleProblemError() {
	type Job struct{ Done chan bool }
	route := runtime.Route{
		Name:    "job",
		Queue:   runtime.Queue{Name: "jobs"},
		Handler: runtime.Consume(func(context.Context, Job) error { return nil }),
	}
	_, err := asyncapi.Generate([]runtime.Route{route}, nil)
	var refused *asyncapi.ProblemError
	if errors.As(err, &refused) {
		for _, p := range refused.Problems {
			fmt.Println(p.Route, p.Path, p.Type, p.Code)
			fmt.Println(p.Text())
		}
	}
	// Output:
	// job Job.Done chan bool no-json
	// route "job": Job.Done (chan bool): a chan has no JSON form: leave the field out by the tag json:"-"
}

type Shape interface{ area() float64 }

type Circle struct {
	Kind   string `json:"kind"` // "circle"
	Radius float64
}

type Square struct {
	Kind string `json:"kind"` // "square"
	Side float64
}

func (c Circle) area() float64 { return 3 * c.Radius * c.Radius }
func (s Square) area() float64 { return s.Side * s.Side }

// shapes are the types that messages hold in a Shape.
var shapes = asyncapi.NewUnion("kind", map[string]Shape{"circle": Circle{}, "square": Square{}})

// Drawing reads its shape by the union, and writes it without help.
type Drawing struct{ Shape Shape }

func (d *Drawing) UnmarshalJSON(text []byte) error {
	var read struct{ Shape json.RawMessage }
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	var err error
	d.Shape, err = shapes.Decode(read.Shape)
	return err
}

func ExampleNewUnion() {
	var drawing Drawing
	if err := json.Unmarshal([]byte(`{"Shape": {"kind": "square", "Side": 4}}`), &drawing); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%T %v\n", drawing.Shape, drawing.Shape.area())

	route := runtime.Route{
		Name:    "draw",
		Queue:   runtime.Queue{Name: "drawings"},
		Handler: runtime.Consume(func(context.Context, Drawing) error { return nil }),
	}
	document, err := asyncapi.Generate([]runtime.Route{route}, nil, shapes)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, variant := range document.Components.Schemas.Get("Shape").OneOf {
		fmt.Println(variant.Ref)
	}
	// Output:
	// asyncapi_test.Square 16
	// #/components/schemas/Circle
	// #/components/schemas/Square
}
