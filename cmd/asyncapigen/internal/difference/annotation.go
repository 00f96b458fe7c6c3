package difference

import (
	"fmt"
	"io"
	"strings"
)

// GitHub prints a report as annotations of GitHub Actions: errors for what is
// breaking or undecided, notices for the rest. Files names a file as the repository
// does, "" where it isn't in it.
func (r *Report) GitHub(w io.Writer, file func(name string) string) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	levels := map[Severity]string{Breaking: "error", Undecided: "error", Compatible: "notice", Documentation: "notice"}
	for _, c := range r.Changes {
		place := ""
		if at := c.New; at.IsValid() && file(at.File) != "" {
			place = fmt.Sprintf("file=%s,line=%d,", property.Replace(file(at.File)), at.Line)
		}
		text := fmt.Sprintf("%s. Publisher: %s. Consumer: %s.", c.sentence(), c.Publisher, c.Consumer)
		if c.Example != "" {
			text += " Such as " + c.Example
		}
		fmt.Fprintf(w, "::%s %stitle=%s %s::%s\n", levels[c.Severity], place, c.Severity, property.Replace(c.ID), data.Replace(text))
	}
}
