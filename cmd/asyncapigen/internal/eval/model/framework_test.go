package model

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What may change what is remembered of a package has to be found in code that isn't read.
func TestMayRemember_IsForWhatRemembers(t *testing.T) {
	var names []string
	for _, functions := range []map[string]Function{setters, flagFunctions, pflagFunctions, viperFunctions, cobraFunctions} {
		for name := range functions {
			names = append(names, name)
		}
	}
	for _, name := range names {
		path, called := strings.TrimLeft(name, "(*"), ""
		if i := strings.LastIndex(path, "."); strings.Contains(path, ").") {
			path = path[:strings.LastIndex(path[:i], ".")] // a method, called of any of the package's variables
		} else {
			path, called = path[:i], path[i+1:]
		}
		require.True(t, MayRemember(path, called), name)
		require.True(t, MayRemember(path, ""), name)
	}
	require.True(t, MayRemember("os", "Args"))
	require.True(t, MayRemember("syscall", "Setenv"))
	require.False(t, MayRemember("os", "Getenv"))
	require.False(t, MayRemember("syscall", "Getenv"))
	require.True(t, MayRemember("io", ""))
	require.True(t, MayRemember("io", "EOF"))
	require.True(t, MayRemember("os", "Stdout"))
	require.False(t, MayRemember("io", "Copy"))
	require.False(t, MayRemember("bytes", ""))
}

func TestTells_IsForWhatChangesWhatIsRemembered(t *testing.T) {
	for name, want := range map[string]bool{
		"os.Args=": true, "os.Args": false, "os.Stdout=": false, "flag.Parse": true, "flag.CommandLine=": true, "flag.CommandLine": false, "flag.CommandLine.Set": true, "flag.Bool": false,
		"flag.VisitAll": true, "flag.CommandLine.VisitAll": true, "flag.Lookup().Value": true, "flag.Lookup": false, "flag.Args": false, pflag + ".Visit": true,
		samberDo + ".Override": true, digPackage + ".Container": true, fxPackage + ".Provide": false,
		pflag + ".Set": true, pflag + ".NewFlagSet": false, viperPackage + ".Set": true, viperPackage + ".New": false, viperPackage + ".GetString": false, viperPackage + ".GetViper": true,
		cobraPackage + ".OnInitialize": true, cobraPackage + ".EnableTraverseRunHooks=": true, cobraPackage + ".Command": false,
		urfave2 + ".OsExiter=": true, urfave3 + ".OsExiter=": true, urfave2 + ".OsExiter": false, "fmt.Println": false,
	} {
		dot := strings.LastIndex(name, "/") + 1
		dot += strings.Index(name[dot:], ".")
		require.Equal(t, want, Tells(name[:dot], name[dot+1:]), name)
		if want {
			require.Contains(t, Telling, name[:dot])
		}
	}
}

func TestMayEnd_IsForWhatEndsTheProgramOrAGoroutine(t *testing.T) {
	for name, want := range map[string]bool{
		"log.Fatal": true, "os.Exit": true, "runtime.Goexit": true, "syscall.Exit": true, "log.": true, "runtime.": true,
		"log.Print": false, "os.Getenv": false, "runtime.GC": false, "fmt.Exit": false, "fmt.": false,
	} {
		path, called, _ := strings.Cut(name, ".")
		require.Equal(t, want, MayEnd(path, called), name)
	}
}
