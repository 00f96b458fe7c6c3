// Package scaffold adds a first route, its directive and its test to a package, for
// asyncapigen init. [New] looks at the package and refuses those that the files
// wouldn't fit into; [Scaffold.Write] writes them, and never over another file.
//
//	package.go   what the package and its module have already
//	source.go    the two files, from their templates
//	scaffold.go  what is added, and how it is written
package scaffold
