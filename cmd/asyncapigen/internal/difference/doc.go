// Package difference compares two AsyncAPI documents: what each change does to
// those who publish messages to a service and to those who consume from it, while
// they keep to the old contract.
//
//	old, err := difference.Read("old.json", text, difference.ByShape)
//	...
//	report := difference.Compare(old, changed)
//	for _, change := range report.Changes {
//		fmt.Println(change.Severity, change.ID, change.What)
//	}
//
// Severities aren't opinions about kinds of changes. An element of a contract is
// used in one of a few ways (model.go), and from that follows what its change does
// to each side. Schemas are compared by package inclusion: what one side sends, the
// other has to accept. A change of a schema is Breaking only with a message that
// shows it, and Compatible only with a proof. What is neither is Undecided, and so
// is every part of a document that can't be read.
//
// # Files
//
// document.go, readtwo.go and readthree.go read documents as trees of elements
// (element.go), declared.go what a service declares beside its routes; forms.go leaves out
// what only one of asyncapigen's forms has. compare.go compares the trees, payload.go the schemas in them,
// keyword.go and keywordpart.go one schema with another, witness.go looks for the
// message that breaks. kind.go has the ids of all changes, model.go what they do,
// severity.go lets users decide otherwise, version.go says which version comes
// next. text.go, markdown.go, annotation.go and json.go print a report.
package difference
