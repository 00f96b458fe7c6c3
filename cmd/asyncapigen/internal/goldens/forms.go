package goldens

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/internal/specschema"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// documentsVariable names a folder, by its absolute path, to which the goldens write
// their documents of every form: make test and make validate make them once for both.
const documentsVariable = "WARREN_DOCUMENTS"

// filled are the flags without which the official parser warns of extended documents.
var filled = []string{
	"-contact-name", "Shop team", "-contact-url", "https://example.com/team", "-contact-email", "shop@example.com", "-license", "MIT",
	"-security", "plain", "-security", "X509=A certificate of the shop.",
}

// WithForms returns the arguments of asyncapigen with those that have it write the documents of
// all forms to a folder, where it writes its document to its default place. Of a program with
// a directive that says where documents are written, hasDirective is true.
func WithForms(args []string, to string, hasDirective bool) []string {
	if hasDirective || !writesDocument(args) {
		return args
	}
	return slices.Concat(filled, []string{
		"-o", "exact=asyncapi.json", "-o", "exact=" + filepath.Join(to, "asyncapi.yaml"),
		"-o", "extended=" + filepath.Join(to, "extended.json"), "-o", "extended=" + filepath.Join(to, "extended.yaml"),
		"-o", "3.0.0=" + filepath.Join(to, "asyncapi3.json"), "-o", "3.0.0=" + filepath.Join(to, "asyncapi3.yaml"),
	}, args)
}

// writesDocument reports whether asyncapigen writes one to its default place.
func writesDocument(args []string) bool {
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") && !strings.HasPrefix(args[0], ".") {
		return false // a command
	}
	return !slices.ContainsFunc(args, func(arg string) bool { return arg == "-o" || arg == "-list" || arg == "-check" || arg == "-explain" })
}

// Valid checks a golden's document against the schema of its version of AsyncAPI, and those of
// all forms, which are in a folder if the golden has them. They go to the folder of
// documentsVariable, too.
func Valid(golden string, exact []byte, forms string) error {
	if err := specschema.Validate(exact); err != nil {
		return err
	}
	if _, err := os.Stat(forms); err != nil {
		return nil
	}
	if err := os.WriteFile(filepath.Join(forms, "asyncapi.json"), exact, 0o666); err != nil {
		return err
	}
	if err := checkForms(forms); err != nil {
		return err
	}
	documents := os.Getenv(documentsVariable)
	if documents == "" {
		return nil
	}
	to := filepath.Join(documents, golden)
	return errors.Join(os.RemoveAll(to), os.CopyFS(to, os.DirFS(forms)))
}

// checkForms holds the documents of one service to what each form promises.
func checkForms(dir string) error {
	texts := make(map[string][]byte)
	for _, name := range []string{"asyncapi", "extended", "asyncapi3"} {
		text, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			return err
		}
		if err := sameAsYAML(text, filepath.Join(dir, name+".yaml")); err != nil {
			return fmt.Errorf("the document %s as YAML: %w", name, err)
		}
		if err := specschema.Validate(text); err != nil && (!isOfNames(err) || name == "asyncapi3") {
			return fmt.Errorf("the document %s: %w", name, err)
		}
		texts[name] = text
	}
	if err := specschema.Exact(texts["asyncapi"]); err != nil {
		return fmt.Errorf("the exact document: %w", err)
	}
	if err := onlyAdds(texts["asyncapi"], texts["extended"]); err != nil {
		return fmt.Errorf("the extended document: %w", err)
	}
	if err := sameRoutes(texts["asyncapi"], texts["asyncapi3"]); err != nil {
		return fmt.Errorf("the document of AsyncAPI 3.0.0: %w", err)
	}
	if err := checkExamples(texts["extended"]); err != nil {
		return err
	}
	return checkExamplesThree(texts["asyncapi3"])
}

// sameRoutes returns how the routes of a document of AsyncAPI 3.0.0 differ from those
// of the exact one.
func sameRoutes(exact, three []byte) error {
	var two asyncapi.Document
	var document asyncapi3.Document
	if err := errors.Join(json.Unmarshal(exact, &two), json.Unmarshal(three, &document)); err != nil {
		return err
	}
	var want, got []string
	for _, channel := range two.Channels {
		want = append(want, fmt.Sprintf("%s of %s", channel.Subscribe.OperationID, channel.Bindings.AMQP.Queue.Name))
	}
	for _, operation := range document.Operations {
		if operation.Value.Action == "receive" {
			name := strings.TrimPrefix(operation.Value.Channel.Ref, "#/channels/")
			got = append(got, fmt.Sprintf("%s of %s", cmp.Or(operation.Value.Title, operation.Name), *document.Channels.Get(name).Address))
		}
	}
	if !slices.Equal(want, got) {
		return fmt.Errorf("its routes are %q, and those of the exact document %q", got, want)
	}
	return nil
}

// isOfNames reports whether a document is refused for the names of its channels,
// of which there are warnings.
func isOfNames(err error) bool { return strings.Contains(err.Error(), "uri-template") }

func sameAsYAML(text []byte, file string) error {
	written, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var value, want any
	if err := yaml.Unmarshal(written, &value); err != nil {
		return err
	}
	got, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(got, &value); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &want); err != nil {
		return err
	}
	return missing("", want, value, func(want, got any) bool { return want == got })
}

// onlyAdds returns what an extended document has otherwise than the exact one. The
// keys of components may differ.
func onlyAdds(exact, extended []byte) error {
	var want, got map[string]any
	if err := json.Unmarshal(exact, &want); err != nil {
		return err
	}
	if err := json.Unmarshal(extended, &got); err != nil {
		return err
	}
	delete(want, "components")
	return missing("", want, got, func(want, got any) bool {
		a, isText := want.(string)
		return want == got || isText && strings.HasPrefix(a, "#/components/schemas/")
	})
}

// missing returns where got hasn't what want has.
func missing(at string, want, got any, same func(want, got any) bool) error {
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%s: it is %v", at, got)
		}
		for name, value := range want {
			if err := missing(at+"/"+name, value, members[name], same); err != nil {
				return err
			}
		}
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) != len(want) {
			return fmt.Errorf("%s: it is %v", at, got)
		}
		for i := range want {
			if err := missing(fmt.Sprintf("%s/%d", at, i), want[i], items[i], same); err != nil {
				return err
			}
		}
	default:
		if !same(want, got) {
			return fmt.Errorf("%s: it is %v rather than %v", at, got, want)
		}
	}
	return nil
}

// checkExamples has a validator judge each example of a document.
func checkExamples(text []byte) error {
	var document asyncapi.Document
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	compiler, err := compilerOf(text)
	if err != nil {
		return err
	}
	for _, channel := range document.Channels {
		for direction, operation := range map[string]*asyncapi.ChannelOperation{"subscribe": channel.Subscribe, "publish": channel.Publish} {
			if operation == nil {
				continue
			}
			at := "/channels/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(channel.Name) + "/" + direction + "/message"
			messages := map[string]asyncapi.Message{at: operation.Message}
			for i, one := range operation.Message.OneOf {
				messages[fmt.Sprintf("%s/oneOf/%d", at, i)] = one
			}
			for at, message := range messages {
				if err := checkMessage(compiler, at, message); err != nil {
					return fmt.Errorf("the examples at %s: %w", at, err)
				}
			}
		}
	}
	return nil
}

// checkExamplesThree does the same for a document of AsyncAPI 3.0.0.
func checkExamplesThree(text []byte) error {
	var document asyncapi3.Document
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	compiler, err := compilerOf(text)
	if err != nil {
		return err
	}
	for _, message := range document.Components.Messages {
		at := "/components/messages/" + message.Name
		of := asyncapi.Message{Payload: message.Value.Payload, Examples: message.Value.Examples}
		if err := checkMessage(compiler, at, of); err != nil {
			return fmt.Errorf("the examples at %s: %w", at, err)
		}
	}
	return nil
}

// compilerOf returns one that compiles the schemas in a document.
func compilerOf(text []byte) (*jsonschema.Compiler, error) {
	resource, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	compiler.AssertContent()
	return compiler, compiler.AddResource("mem:///document.json", resource)
}

func checkMessage(compiler *jsonschema.Compiler, at string, message asyncapi.Message) error {
	if message.Payload != nil && len(message.Examples) == 0 {
		return fmt.Errorf("there is none")
	}
	for _, example := range message.Examples {
		for part, text := range map[string][]byte{"payload": example.Payload, "headers": example.Headers} {
			if text == nil {
				continue
			}
			schema, err := compiler.Compile("mem:///document.json#" + fragment(at+"/"+part))
			if err != nil {
				return err
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				return err
			}
			if err := schema.Validate(value); err != nil {
				return fmt.Errorf("%s of %s: %w", part, example.Name, err)
			}
		}
	}
	return nil
}

// fragment writes a JSON pointer as the fragment of a URL.
func fragment(pointer string) string {
	var text strings.Builder
	for _, c := range []byte(pointer) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%<>[\\]^`{|}", c) >= 0 {
			fmt.Fprintf(&text, "%%%02X", c)
		} else {
			text.WriteByte(c)
		}
	}
	return text.String()
}
