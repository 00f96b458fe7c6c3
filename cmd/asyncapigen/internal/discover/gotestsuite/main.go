package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gotestsuite: ")
	list := flag.Bool("list", false, "name the programs that aren't right, with what is said of them")
	children := flag.Int("children", runtime.NumCPU(), "how many programs are evaluated at a time")
	child := flag.Bool("child", false, "judge the programs that the arguments name (used by the command itself)")
	dir := flag.String("dir", "", "the folder of the module with the programs; a temporary one by default")
	flag.Parse()
	ctx := context.Background()
	if *child {
		if err := runChild(ctx, *dir, flag.Args()); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(ctx, *dir, flag.Args(), *children, *list); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, dir string, only []string, children int, list bool) error {
	if dir == "" {
		temporary, err := os.MkdirTemp("", "gotestsuite")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temporary)
		dir = temporary
	}
	warren, err := output(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/warrenmq/warren")
	if err != nil {
		return err
	}
	root, err := output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return err
	}
	test := filepath.Join(root, "test")
	names, err := testPrograms(test)
	if err != nil {
		return err
	}
	if len(only) > 0 {
		names = slices.DeleteFunc(names, func(name string) bool {
			return !slices.ContainsFunc(only, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
		})
	}
	if err := layOut(dir, test, warren, names); err != nil {
		return err
	}
	verdicts, err := judgeAll(ctx, dir, names, children)
	if err != nil {
		return err
	}
	printFigures(verdicts, list)
	return nil
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("run %s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

func printFigures(verdicts []verdict, list bool) {
	counts := make(map[class]int)
	for _, v := range verdicts {
		counts[v.Class]++
	}
	for _, c := range classes {
		fmt.Printf("%-9s %4d\n", c, counts[c])
		for _, v := range verdicts {
			if list && c != right && v.Class == c {
				fmt.Printf("    %s: %s\n", v.Program, v.Reason)
			}
		}
	}
	if built := len(verdicts) - counts[notBuilt]; built > 0 {
		fmt.Printf("%.1f %% of %d programs are right\n", 100*float64(counts[right])/float64(built), built)
	}
}
