// Package docpage makes one self-contained HTML page of an AsyncAPI document: its
// routes with a picture of where their messages go, its schemas and its examples.
//
//	root, err := jsontree.Parse("asyncapi.json", text)
//	...
//	page, err := docpage.Render(root, docpage.Options{})
//
// The page needs no network and no file beside it. Its style and its script are in
// it, and its own Content-Security-Policy allows these two and nothing else, so that
// no text of a document can become code even if the escaping had a fault. All of the
// document's text goes through html/template.
//
// Documents of AsyncAPI 2.0 to 2.6 and 3.0 are read, as far as they go: what a
// document has in the extensions of asyncapigen is shown where it is, and what can't
// be read becomes a note on the page.
//
// # Files
//
// model.go has what the page shows. document.go, readtwo.go and readthree.go make it
// of a document, schema.go of its schemas, binding.go of its queues and exchanges,
// call.go of the client's methods. picture.go draws a route and overview.go the
// whole service, both with the shapes of shape.go. render.go puts the page together from
// page.html, page.css and page.js.
package docpage
