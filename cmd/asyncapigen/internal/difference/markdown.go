package difference

import (
	"fmt"
	"io"
	"strings"
)

// maxMarkdown is how many changes of a severity are shown: a comment on GitHub has
// at most 65,536 characters.
const maxMarkdown = 50

var headings = map[Severity]string{
	Breaking: "Breaking", Undecided: "Undecided, which counts as breaking", Compatible: "Compatible", Documentation: "Documentation",
}

// Markdown prints a report as a comment of a pull request.
func (r *Report) Markdown(w io.Writer) {
	fmt.Fprintf(w, "## Changes of the contract\n\n%s\n", escape(r.summary()))
	for i := len(severities) - 1; i >= 0; i-- {
		severity := severities[i]
		if n := r.Count(severity); n > 0 {
			fmt.Fprintf(w, "\n### %s (%d)\n\n", headings[severity], n)
			r.markdownTable(w, severity)
		}
	}
	for i, silent := range r.Silent {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "- Neither document describes %s.\n", escape(silent))
	}
}

func (r *Report) markdownTable(w io.Writer, severity Severity) {
	fmt.Fprint(w, "| change | publisher | consumer | where |\n|---|---|---|---|\n")
	shown := 0
	for _, c := range r.Changes {
		if c.Severity != severity {
			continue
		}
		if shown++; shown > maxMarkdown {
			break
		}
		what := escape(c.sentence())
		if c.Example != "" {
			what += "<br>such as " + codeSpan(c.Example)
		}
		fmt.Fprintf(w, "| %s<br>%s | %s | %s | %s |\n", what, codeSpan(c.ID), escape(c.Publisher), escape(c.Consumer), codeSpan(c.place().String()))
	}
	if n := r.Count(severity); n > maxMarkdown {
		fmt.Fprintf(w, "\nand %d more\n", n-maxMarkdown)
	}
}

// escape writes a text so that Markdown shows it as it is, in one line.
func escape(text string) string {
	return strings.NewReplacer("\\", "\\\\", "|", "\\|", "<", "&lt;", "&", "&amp;", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]",
		"#", "\\#", "@", "&#64;", "\r", " ", "\n", " ").Replace(text)
}

// codeSpan shows a text in a cell as code, whatever is in it.
func codeSpan(text string) string {
	if text == "" {
		return ""
	}
	text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "\r", " ", "\n", " ", "`", "&#96;",
		"*", "&#42;", "_", "&#95;", "[", "&#91;", "\\", "&#92;", "@", "&#64;").Replace(text)
	return "<code>" + text + "</code>"
}
