package dns

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Check is what DNS shows of a host name, beside the records that the API expects.
type Check struct {
	Answer
	Problem string // one sentence; "" for none
}

// Examine looks a host name up and explains what is wrong with it. expected are the records of the API, of which a host
// name needs one.
func Examine(ctx context.Context, lookup Lookup, host string, expected []Record) Check {
	expected = ForHost(host, expected)
	host = plainName(host)
	answer := lookup(ctx, host)
	return Check{Answer: answer, Problem: problem(ctx, lookup, host, expected, answer)}
}

// problem may look up a second name: the target of the expected CNAME, or where a record was created by mistake.
func problem(ctx context.Context, lookup Lookup, host string, expected []Record, answer Answer) string {
	switch answer.Fault {
	case NotFound:
		if twice := host + "." + Zone(host); holds(lookup(ctx, twice).Records, twice, expected) {
			return fmt.Sprintf("The record was created as %s: the DNS provider appends the zone, so enter only %s as its name.", twice, RelativeName(host))
		}
		return fmt.Sprintf("No DNS record was found for %s.", host)
	case NoAnswer:
		return fmt.Sprintf("The name servers of the zone of %s gave no answer: the zone may not be set up there, or they fail.", host)
	case TimedOut:
		return fmt.Sprintf("DNS gave no answer about %s in time.", host)
	}
	targets, addresses := ofHost(answer.Records, host)
	switch {
	case len(targets) > 1:
		return fmt.Sprintf("%s has two CNAME records, to %s: a name can have only one.", host, strings.Join(targets, " and "))
	case len(targets) > 0 && len(addresses) > 0:
		return fmt.Sprintf("%s has a CNAME record to %s and address records (%s): a name with a CNAME can have no other record.",
			host, targets[0], strings.Join(addresses, ", "))
	case matches(answer.Records, expected) && len(targets) == 0 && len(unexpected(addresses, expected)) > 0:
		others := unexpected(addresses, expected)
		right := slices.DeleteFunc(slices.Clone(addresses), func(a string) bool { return slices.Contains(others, a) })
		return fmt.Sprintf("%s has the address %s and others (%s): remove the others.", host, strings.Join(right, ", "), strings.Join(others, ", "))
	case matches(answer.Records, expected):
		return fmt.Sprintf("The record of %s is right, and the API has not seen it yet: it checks DNS at most once a minute.", host)
	}
	want := wanted(expected)
	switch {
	case want == nil:
		return ""
	case len(targets) > 0 && targets[0] == plainName(want.Value)+"."+Zone(host):
		return fmt.Sprintf("%s is a CNAME to %s: the DNS provider appended the zone, so enter the value with a final dot (%s.).",
			host, targets[0], want.Value)
	case len(targets) > 0:
		return fmt.Sprintf("%s is a CNAME to %s, not to %s.", host, targets[0], want.Value)
	case want.Type != typeCNAME:
		return fmt.Sprintf("%s resolves to %s, not to %s.", host, strings.Join(addresses, ", "), want.Value)
	}
	_, behind := ofHost(resolved(lookup(ctx, want.Value).Records), plainName(want.Value))
	if len(behind) > 0 && !slices.ContainsFunc(addresses, func(a string) bool { return !slices.Contains(behind, a) }) {
		return fmt.Sprintf("%s has the addresses of %s and no CNAME record, as a flattened zone shows it: the API may not accept it.", host, want.Value)
	}
	return fmt.Sprintf("%s has an address (%s) instead of a CNAME record to %s, as a proxy of the DNS provider shows it: "+
		"switch the proxy off, or replace the address record.", host, strings.Join(addresses, ", "), want.Value)
}

// ofHost returns the targets and the addresses of a host name's own records.
func ofHost(records []Record, host string) (targets, addresses []string) {
	for _, r := range records {
		switch {
		case r.Name != host:
		case r.Type == typeCNAME:
			targets = append(targets, r.Value)
		default:
			addresses = append(addresses, r.Value)
		}
	}
	return targets, addresses
}

// resolved returns records with each address as one of the first name.
func resolved(records []Record) (out []Record) {
	for _, r := range records {
		if r.Type != typeCNAME {
			out = append(out, Record{r.Type, records[0].Name, r.Value})
		}
	}
	return out
}

// matches reports whether an answer has one of the expected records. A CNAME may lead to its target through others.
func matches(records, expected []Record) bool {
	return slices.ContainsFunc(expected, func(want Record) bool {
		return slices.ContainsFunc(records, func(r Record) bool {
			return r.Type == want.Type && r.Value == plainName(want.Value) && (r.Type == typeCNAME || r.Name == plainName(want.Name))
		})
	})
}

// unexpected are the addresses that no expected record has.
func unexpected(addresses []string, expected []Record) []string {
	return slices.DeleteFunc(slices.Clone(addresses), func(a string) bool {
		return slices.ContainsFunc(expected, func(want Record) bool { return want.Value == a })
	})
}

// holds reports whether a name that was created by mistake has an expected value.
func holds(records []Record, name string, expected []Record) bool {
	return slices.ContainsFunc(expected, func(want Record) bool {
		return slices.Contains(records, Record{want.Type, name, plainName(want.Value)})
	})
}

// wanted is the record to create: the first one (Reseller API §2.5).
func wanted(expected []Record) *Record {
	if len(expected) == 0 {
		return nil
	}
	return &expected[0]
}

// ForHost returns the records of the API as those of a host name: a relative name, "@", the zone and a final dot are
// spellings of the host name. Records of the zone itself may serve a website and mail.
func ForHost(host string, records []Record) []Record {
	host = plainName(host)
	out := make([]Record, 0, len(records))
	for _, r := range records {
		r.Type = strings.ToUpper(r.Type)
		if r.Type == typeCNAME {
			r.Value = strings.TrimSuffix(r.Value, ".")
		}
		r.Name = fullName(host, plainName(r.Name))
		out = append(out, r)
	}
	return out
}

func fullName(host, name string) string {
	zone := Zone(host)
	_, isPublic := publicsuffix.PublicSuffix(name)
	switch {
	case name == "" || name == "@" || strings.HasPrefix(host, name+".") || strings.HasSuffix(host, "."+name):
		return host
	case name == zone || strings.HasSuffix(name, "."+zone) || isPublic && strings.Contains(name, "."):
		return name
	default:
		return name + "." + zone
	}
}

// Zone is the domain that a host name is registered under, as far as the list of public suffixes knows it.
func Zone(host string) string {
	zone, err := publicsuffix.EffectiveTLDPlusOne(plainName(host))
	if err != nil {
		_, parent, _ := strings.Cut(plainName(host), ".")
		return parent
	}
	return zone
}

// RelativeName is a host name within its zone: "sign", or "@" for the zone itself.
func RelativeName(host string) string {
	name, inside := strings.CutSuffix(plainName(host), "."+Zone(host))
	if !inside {
		return "@"
	}
	return name
}
