// Package service goes from what a command line, or a go:generate directive, says
// of a service to the service's contract and client, and to what there is to
// report about them. The command asyncapigen prints that, and package analyzer
// shows it in editors.
//
//	all, warnings, err := service.Find(ctx, dir, service.Check, args)
//	for outcome := range (&service.Generator{Dir: dir}).Run(ctx, all) {
//		... outcome.Found, outcome.Files
//	}
//
// Which file is which:
//
//	options.go, format.go
//	                 the flags
//	services.go, directive.go
//	                 what go:generate directives say, here or in folders below
//	generator.go, document.go, write.go
//	                 from packages to files
//	findings.go, accepted.go
//	                 what is reported
//	changed.go       the flag -changed, and files of commits
package service
