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
	out.WriteString(replaced(first) + "If your DNS provider offers a proxy for the record, switch it off.")
	if first.Type == typeCNAME {
		fmt.Fprintf(&out, " If your DNS provider appends the zone to values, write the value with a final dot: %s.", first.Value)
	}
	out.WriteString("\n")
	if others := records[1:]; len(others) > 0 {
		fmt.Fprintf(&out, "\nIf this record is not possible, create one of these instead:\n\n")
		for _, r := range others {
			fmt.Fprintf(&out, "  %s  %s  %s\n", r.Type, RelativeName(r.Name), r.Value)
		}
	}
	fmt.Fprintf(&out, "\nTo check it:\n\n  dig +short %s %s\n\nIt answers:\n\n  %s\n\nIt can take some hours until a change is visible everywhere.\n",
		plainName(first.Name), first.Type, answerOf(first))
	return out.String()
}

// replaced says what has to go before a record is created. Other records of a zone itself may serve mail.
func replaced(r Record) string {
	isZone := r.Name == Zone(r.Name)
	isAddress := r.Type == "A" || r.Type == "AAAA"
	switch {
	case isZone && r.Type == typeCNAME:
		return "Remove any A and AAAA record of this name first, and keep all others, such as MX. " +
			"If your DNS provider rejects a CNAME record here, use what it offers instead, such as ALIAS or ANAME. "
	case r.Type == typeCNAME:
		return "The name can have only this record: remove any other one first. "
	case isZone && isAddress:
		return "Remove any other A, AAAA and CNAME record of this name first, and keep all others, such as MX. "
	case isAddress:
		return "Remove any other A, AAAA and CNAME record of this name first. "
	default:
		return ""
	}
}

// answerOf is how dig prints a record.
func answerOf(r Record) string {
	if r.Type == typeCNAME {
		return plainName(r.Value) + "."
	}
	return r.Value
}
