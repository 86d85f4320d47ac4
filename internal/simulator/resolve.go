package simulator

import "strings"

// elsewhere is where a wrong CNAME record points to.
const elsewhere = "old-portal.example"

// Record is a DNS record as a name server answers it.
type Record struct{ Type, Name, Value string }

// Resolve answers what the DNS of a host name shows: that of a private label, the API's own target, and nothing else.
func (s *Simulator) Resolve(host string) []Record {
	host = strings.ToLower(host)
	target := Record{"A", edgeHost, edgeAddress}
	if host == edgeHost {
		return []Record{target}
	}
	return read(s, func(d *data) []Record {
		l := d.byHost[host]
		switch {
		case l == nil:
			return nil
		case !l.Domain.isCorrect(s.clock.Now()) && l.Domain.DNSWrong:
			return []Record{{"CNAME", host, elsewhere}}
		case !l.Domain.isCorrect(s.clock.Now()):
			return nil
		case strings.Count(host, ".") == 1: // a whole domain
			return []Record{{"A", host, edgeAddress}}
		default:
			return []Record{{"CNAME", host, edgeHost}, target}
		}
	})
}
