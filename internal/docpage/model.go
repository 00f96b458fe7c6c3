package docpage

// A page is what is shown of a document.
type page struct {
	Title, Version, Description string
	Specification               string // such as "AsyncAPI 2.6.0"
	Facts                       []fact // about the service
	Servers                     []server
	Tags                        []tag
	Routes                      []*route
	Declared                    *declared  // beside the routes; nil where nothing is
	Schemas                     []*schema  // the components
	Overview                    *picture   // nil where there is nothing to draw, or too much
	Services                    []*service // of a map
	Notes                       []string   // what can't be shown
	FindingsTitle               string
	Findings                    []Finding
}

// IsLarge reports whether there is so much that a browser should lay out what is
// seen alone; of a smaller page nothing moves while it is read.
func (p *page) IsLarge() bool { return len(p.Routes)+len(p.Schemas) > 200 }

// A fact is a name with its value.
type fact struct {
	Name, Value string
	Link        string // of the value, "" for none
	Code        bool   // the value is written as in the document
}

type server struct {
	Name, Address, Protocol, Description string
}

// A tag groups routes.
type tag struct {
	Name, Description string
	Routes            []*route
}

// A route is an operation of the service.
type route struct {
	ID          string // of its element
	Name        string
	Summary     string
	Description string
	Sends       bool // the service sends; else it receives
	Extended    bool // the document says all of it that asyncapigen knows
	Deprecated  bool
	Tags        []string
	Queue       *endpoint
	Exchange    *endpoint // nil for the default exchange
	Bindings    []binding // of the exchanges with the queue
	Facts       []fact
	Messages    []message
	Reply       *reply // nil for none
	Failure     *failure
	Sources     []source
	Calls       []call
	Picture     *picture
}

// An endpoint is a queue or an exchange.
type endpoint struct {
	Name  string
	Type  string // of an exchange
	Delay string // of an exchange that delays: the type by which it routes
	Facts []fact
}

// A binding leads from an exchange to the queue.
type binding struct {
	Exchange  string
	Keys      []string
	Arguments []fact
}

// A declared is what the service declares beside its routes.
type declared struct {
	Exchanges, Queues []*endpoint
	Bindings          []declaredBinding
	Unknown           bool // there may be more
}

// A declaredBinding leads from an exchange to a queue or another exchange.
type declaredBinding struct {
	From, To  string
	ToQueue   bool // else to an exchange
	Key       string
	Arguments []fact
}

// A reply is what the service answers.
type reply struct {
	To       string // "" where that isn't known
	Asked    bool   // it goes to whoever asked
	About    string
	Messages []message
}

// A failure says what becomes of messages that the handler can't handle.
type failure struct {
	Attempts    string // how often a message is handled at most
	Endless     bool   // there is no such limit
	Retries     []retry
	DeadLetters string // where messages go that failed for good, "" for nowhere
}

// A retry is a queue in which messages wait.
type retry struct{ Queue, Delay string }

// A source is a place in the service's code.
type source struct {
	What string // what is there
	Text string // file:line
	Link string // "" for none
}

// A message is one of an operation.
type message struct {
	ID          string
	Name        string // "" where it has the route's
	Title       string
	Summary     string
	Description string
	Facts       []fact
	Payload     *schema // nil for none
	Headers     *schema
	Examples    []example
}

type example struct{ Name, Text string }

// A call is Go code that sends a message by the generated client.
type call struct{ Message, Text string }

// A schema is one with those in it.
type schema struct {
	ID          string // of a component
	Name        string // of the property or the component
	Role        string // what it is to the schema around it, where it has no name
	Type        string
	Ref         string // the component that it refers to
	RefID       string // of the component's element, "" where there is none
	Opens       bool   // there are parts to show: Children, or those of the component
	Elements    bool   // Ref is what its elements are
	Required    bool
	Deprecated  bool
	Description string
	Facts       []fact
	Enum        []enumValue
	More        int // further values of Enum
	Examples    []string
	Children    []*schema
}

type enumValue struct{ Value, Name, Description string }

// A Finding is what is wrong with the code of which the document is made.
type Finding struct {
	Severity string // error or warning
	Position string // file:line:column, "" where it isn't known
	Text     string
}
