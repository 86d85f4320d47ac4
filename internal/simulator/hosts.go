package simulator

import (
	"cmp"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The simulator's own names. All are reserved for documentation.
const (
	serviceDomain   = "portals.example"
	edgeHost        = "edge." + serviceDomain
	edgeAddress     = "192.0.2.10"
	simulatorDomain = "simulator.invalid" // of BaseURL, UploadURL and SigningURL
)

var hostPart = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// validHost accepts a plain host name of at least two parts, no IP address.
func validHost(host string) bool {
	if len(host) > 253 || net.ParseIP(host) != nil || !strings.Contains(host, ".") {
		return false
	}
	for part := range strings.SplitSeq(host, ".") {
		if !hostPart.MatchString(part) {
			return false
		}
	}
	return true
}

// reservedHost reports whether a host name is one of the API's own app, console, admin, API or static hosts (§4.9).
func reservedHost(host string) bool {
	return slices.ContainsFunc([]string{serviceDomain, simulatorDomain}, func(domain string) bool {
		return host == domain || strings.HasSuffix(host, "."+domain)
	})
}

// hostTaken reports whether a host name is in use by a private label or a reseller, or belonged to a deprovisioned
// private label.
func (d *data) hostTaken(host string) bool {
	return d.Burnt[host] || d.byHost[host] != nil || slices.ContainsFunc(d.Resellers, func(r *reseller) bool { return strings.EqualFold(r.Slug, host) })
}

// hosts are the host names of a private label in responses.
func (f Forms) hosts(l *label) (primary string, custom *string) {
	if f.isForm("primary-host", "asked") {
		return l.Host, l.CustomDomain
	}
	asked := l.Host
	return platformHost(l), cmp.Or(l.CustomDomain, &asked)
}

// platformHost is the private label's subdomain of the platform.
func platformHost(l *label) string {
	return strings.ReplaceAll(strings.ToLower(l.Host), ".", "-") + "." + serviceDomain
}

// storedHost is a host name as it is stored.
func (f Forms) storedHost(host string) string {
	if f.isForm("host-case", "exact") {
		return host
	}
	return strings.ToLower(host)
}

// isHostOf reports whether a host name is one of a private label's.
func (f Forms) isHostOf(l *label, host string) bool {
	primary, _ := f.hosts(l)
	if f.isForm("host-case", "exact") {
		return host == l.Host || host == primary
	}
	return strings.EqualFold(host, l.Host) || strings.EqualFold(host, primary)
}

// dnsRecord is a record of §2.5.
type dnsRecord struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

type domainSetup struct {
	Attached bool        `json:"attached"`
	Verified bool        `json:"verified"`
	Records  []dnsRecord `json:"records"`
	Note     *string     `json:"note,omitempty"`
}

// recheck is the minimum interval between two checks of a host name's DNS (§2.5).
const recheck = time.Minute

// setup checks the DNS, at most once a minute.
func (f Forms) setup(l *label, now time.Time) domainSetup {
	d := &l.Domain
	if d.LookedAt == 0 || over(d.LookedAt, recheck, now) {
		d.LookedAt = millis(now)
		d.Verified = d.isCorrect(now)
	}
	cname := dnsRecord{"CNAME", f.recordName(l.Host), edgeHost}
	address := dnsRecord{"A", f.recordName(l.Host), edgeAddress}
	if f.isForm("record-name", "dot") {
		cname.Value += "."
	}
	out := domainSetup{Attached: d.Attached, Verified: d.Verified, Records: []dnsRecord{cname, address}}
	if isWholeDomain(l.Host) {
		// A whole domain cannot be a CNAME.
		note := "This is a whole domain: use the A record, or your DNS provider's flattened CNAME."
		out.Records = []dnsRecord{address, cname}
		out.Note = &note
	}
	return out
}

// isWholeDomain reports whether a host name is one that a registry sells.
func isWholeDomain(host string) bool {
	return strings.Count(host, ".") == 1
}

// recordName is the name of a host name's record.
func (f Forms) recordName(host string) string {
	parts := strings.Split(host, ".")
	switch {
	case f.isForm("record-name", "dot"):
		return host + "."
	case f.isForm("record-name", "host"):
		return host
	case isWholeDomain(host):
		return "@"
	default:
		return strings.Join(parts[:len(parts)-2], ".")
	}
}

// isCorrect reports whether DNS has the record that a check would find.
func (d *domainState) isCorrect(now time.Time) bool {
	return d.DNSCorrect || d.CorrectAt != 0 && d.CorrectAt <= millis(now)
}

var hexColor = regexp.MustCompile(`^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$`)

func validURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && !strings.ContainsAny(s, " \t\r\n")
}

// validEmail accepts one plain email address (§4.4).
func validEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || a.Name != "" {
		return false
	}
	_, host, _ := strings.Cut(s, "@")
	return validHost(strings.ToLower(host))
}

func blank(s string) bool {
	return strings.TrimSpace(s) == ""
}
