package dns

import (
	"fmt"
	"strings"
)

// Instructions is the text to send to the administrator of the zone of a host name: the record to create, its
// alternatives, and how to check it. records are those of the API, the first one to be created.
func Instructions(host string, records []Record) string {
	records = ForHost(host, records)
	host = plainName(host)
	if len(records) == 0 {
		return fmt.Sprintf("There is no DNS record to create for %s yet.\n", host)
	}
	first := records[0]
	var out strings.Builder
	fmt.Fprintf(&out, "Please create this DNS record for %s:\n\n", host)
	fmt.Fprintf(&out, "  Type:  %s\n  Name:  %s   (in the zone %s; the full name is %s)\n  Value: %s\n\n",
		first.Type, RelativeName(first.Name), Zone(first.Name), plainName(first.Name), first.Value)
	out.WriteString("The name can have only this record: remove any other one first. If your DNS provider offers a proxy for the record, switch it off.")
	if first.Type == "CNAME" {
		fmt.Fprintf(&out, " If your DNS provider appends the zone to values, write the value with a final dot: %s.", first.Value)
	}
	out.WriteString("\n")
	if others := records[1:]; len(others) > 0 {
		fmt.Fprintf(&out, "\nIf a %s record is not possible for this name, create one of these instead:\n\n", first.Type)
		for _, r := range others {
			fmt.Fprintf(&out, "  %s  %s  %s\n", r.Type, RelativeName(r.Name), r.Value)
		}
	}
	fmt.Fprintf(&out, "\nTo check it:\n\n  dig +short %s %s\n\nIt answers:\n\n  %s\n\nIt can take some hours until a change is visible everywhere.\n",
		plainName(first.Name), first.Type, answerOf(first))
	return out.String()
}

// answerOf is how dig prints a record.
func answerOf(r Record) string {
	if r.Type == "CNAME" {
		return plainName(r.Value) + "."
	}
	return r.Value
}
