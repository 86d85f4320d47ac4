package dns_test

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
)

// zone is what a name server has: records by name. A name with an RCode fails with it, and one of silent never answers.
type zone struct {
	records map[string][]dns.Record
	fails   map[string]dnsmessage.RCode
	silent  string
}

// serve starts a name server and returns a lookup that asks it.
func (z zone) serve(t *testing.T) dns.Lookup {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		buffer := make([]byte, 2048)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			if response := z.respond(buffer[:n]); response != nil {
				_, _ = conn.WriteTo(response, from)
			}
		}
	}()
	return dns.NewLookup(func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	})
}

func (z zone) respond(query []byte) []byte {
	var message dnsmessage.Message
	if message.Unpack(query) != nil || len(message.Questions) != 1 {
		return nil
	}
	question := message.Questions[0]
	name := strings.TrimSuffix(question.Name.String(), ".")
	if name == z.silent {
		return nil
	}
	message.Response, message.RecursionAvailable = true, true
	message.Additionals = nil
	message.RCode = z.fails[name]
	if message.RCode == dnsmessage.RCodeSuccess && z.records[name] == nil {
		message.RCode = dnsmessage.RCodeNameError
	}
	message.Answers = z.chain(name, question.Type)
	raw, err := message.Pack()
	if err != nil {
		return nil
	}
	return raw
}

// chain follows CNAME records as a recursive name server does.
func (z zone) chain(name string, kind dnsmessage.Type) (out []dnsmessage.Resource) {
	for _, r := range z.records[name] {
		header := dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(name + "."), Class: dnsmessage.ClassINET, TTL: 60}
		switch address, err := netip.ParseAddr(r.Value); {
		case r.Type == "CNAME":
			out = append(out, dnsmessage.Resource{Header: header, Body: &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(r.Value + ".")}})
			out = append(out, z.chain(r.Value, kind)...)
		case err == nil && r.Type == "A" && kind == dnsmessage.TypeA:
			out = append(out, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: address.As4()}})
		case err == nil && r.Type == "AAAA" && kind == dnsmessage.TypeAAAA:
			out = append(out, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}})
		}
	}
	return out
}

const (
	host   = "sign.acme.example"
	target = "edge.portals.example"
)

func cname(value string) dns.Record   { return dns.Record{Type: "CNAME", Value: value} }
func address(value string) dns.Record { return dns.Record{Type: "A", Value: value} }

var expected = []dns.Record{{Type: "CNAME", Name: host, Value: target}, {Type: "A", Name: host, Value: "192.0.2.10"}}

func TestExamine_Faults(t *testing.T) {
	t.Parallel()
	portals := []dns.Record{address("192.0.2.10")}
	for name, test := range map[string]struct {
		zone     zone
		expected []dns.Record
		want     string
	}{
		"no record": {zone{}, expected, "No DNS record was found for sign.acme.example."},
		"record of another type only": {
			zone{records: map[string][]dns.Record{host: {}}}, expected, "No DNS record was found for sign.acme.example.",
		},
		"created with the zone twice": {
			zone{records: map[string][]dns.Record{"sign.acme.example.acme.example": {cname(target)}, target: portals}},
			expected,
			"The record was created as sign.acme.example.acme.example: the DNS provider appends the zone, so enter only sign as its name.",
		},
		"other CNAME": {
			zone{records: map[string][]dns.Record{host: {cname("old.example")}, "old.example": {address("203.0.113.7")}}},
			expected,
			"sign.acme.example is a CNAME to old.example, not to edge.portals.example.",
		},
		"CNAME without an address behind it": {
			zone{records: map[string][]dns.Record{host: {cname("old.example")}, "old.example": {}}},
			expected,
			"sign.acme.example is a CNAME to old.example, not to edge.portals.example.",
		},
		"target with the zone appended": {
			zone{records: map[string][]dns.Record{host: {cname(target + ".acme.example")}, target + ".acme.example": {}}},
			expected,
			"the DNS provider appended the zone, so enter the value with a final dot (edge.portals.example.).",
		},
		"address of a proxy": {
			zone{records: map[string][]dns.Record{host: {address("203.0.113.7")}, target: {address("192.0.2.20")}}},
			expected,
			"sign.acme.example has an address (203.0.113.7) instead of a CNAME record to edge.portals.example, as a proxy of the DNS provider shows it",
		},
		"IPv6 address of a proxy": {
			zone{records: map[string][]dns.Record{host: {{Type: "AAAA", Value: "2001:db8::7"}}, target: portals}},
			expected,
			"has an address (2001:db8::7) instead of a CNAME",
		},
		"flattened zone": {
			zone{records: map[string][]dns.Record{host: {address("192.0.2.20")}, target: {address("192.0.2.20"), address("192.0.2.21")}}},
			expected,
			"has the addresses of edge.portals.example and no CNAME record, as a flattened zone shows it",
		},
		"CNAME and address": {
			zone{records: map[string][]dns.Record{host: {cname(target), address("203.0.113.7")}, target: portals}},
			expected,
			"has a CNAME record to edge.portals.example and address records (203.0.113.7)",
		},
		"two CNAME records": {
			zone{records: map[string][]dns.Record{host: {cname(target), cname("old.example")}, target: portals, "old.example": portals}},
			expected,
			"sign.acme.example has two CNAME records, to edge.portals.example and old.example",
		},
		"server failure": {
			zone{fails: map[string]dnsmessage.RCode{host: dnsmessage.RCodeServerFailure}}, expected, "The name servers of the zone of sign.acme.example gave no answer",
		},
		"name server that does not know the zone": {
			zone{fails: map[string]dnsmessage.RCode{host: dnsmessage.RCodeRefused}}, expected, "The name servers of the zone of sign.acme.example gave no answer",
		},
		"other address of a whole domain": {
			zone{records: map[string][]dns.Record{"acme.example": {address("203.0.113.7")}}},
			[]dns.Record{{Type: "A", Name: "acme.example", Value: "192.0.2.10"}},
			"acme.example resolves to 203.0.113.7, not to 192.0.2.10.",
		},
		"right": {
			zone{records: map[string][]dns.Record{host: {cname(target)}, target: portals}},
			expected,
			"The record of sign.acme.example is right, and the API has not seen it yet",
		},
		"right by another CNAME": {
			zone{records: map[string][]dns.Record{host: {cname("www.acme.example")}, "www.acme.example": {cname(target)}, target: portals}},
			expected,
			"is right, and the API has not seen it yet",
		},
		"right by an alternative": {
			zone{records: map[string][]dns.Record{host: portals}}, expected, "is right, and the API has not seen it yet",
		},
		"right by an alternative, with another address": {
			zone{records: map[string][]dns.Record{host: {address("192.0.2.10"), address("203.0.113.7")}}},
			expected,
			"sign.acme.example has the address 192.0.2.10 and others (203.0.113.7): remove the others.",
		},
		"nothing expected": {zone{records: map[string][]dns.Record{host: portals}}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := host
			if test.expected != nil {
				asked = test.expected[0].Name
			}
			seen := dns.Examine(t.Context(), test.zone.serve(t), asked, test.expected)
			if test.want == "" && seen.Problem != "" || !strings.Contains(seen.Problem, test.want) {
				t.Errorf("problem %q, want %q\nrecords %v, fault %q", seen.Problem, test.want, seen.Records, seen.Fault)
			}
			assert.LessOrEqual(t, strings.Count(seen.Problem, ". "), 0, "more than one sentence: %q", seen.Problem)
		})
	}
}

func TestLookup_OrdersTheChain(t *testing.T) {
	t.Parallel()
	z := zone{records: map[string][]dns.Record{
		host: {cname("www.acme.example")}, "www.acme.example": {cname(target)}, target: {{Type: "AAAA", Value: "2001:db8::1"}, address("192.0.2.10")},
	}}
	var got []string
	for _, r := range z.serve(t)(t.Context(), strings.ToUpper(host)+".").Records {
		got = append(got, r.Name+" "+r.Type+" "+r.Value)
	}
	want := "sign.acme.example CNAME www.acme.example, www.acme.example CNAME edge.portals.example, " +
		"edge.portals.example A 192.0.2.10, edge.portals.example AAAA 2001:db8::1"
	assert.Equal(t, want, strings.Join(got, ", "))
}

// A lookup ends with its context, although the name server never answers.
func TestLookup_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	asked := atomic.Bool{}
	lookup := dns.NewLookup(func(ctx context.Context, _, _ string) (net.Conn, error) {
		asked.Store(true)
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	if answer := lookup(ctx, host); len(answer.Records) > 0 || answer.Fault == "" || !asked.Load() {
		t.Errorf("answer %+v, asked %t", answer, asked.Load())
	}
}

// A name server that is down differs from one that has no such name.
func TestExamine_TimedOut(t *testing.T) {
	t.Parallel()
	silent := func(context.Context, string) dns.Answer { return dns.Answer{Fault: dns.TimedOut} }
	seen := dns.Examine(t.Context(), silent, host, expected)
	assert.Equal(t, "DNS gave no answer about sign.acme.example in time.", seen.Problem)
	ctx, cancel := context.WithTimeout(t.Context(), 1)
	defer cancel()
	answer := (zone{silent: host}).serve(t)(ctx, host)
	assert.Equal(t, dns.TimedOut, answer.Fault)
}

func TestInstructions(t *testing.T) {
	t.Parallel()
	got := dns.Instructions("Sign.Acme.example", expected)
	for _, want := range []string{
		"Type:  CNAME", "Name:  sign   (in the zone acme.example; the full name is sign.acme.example)", "Value: edge.portals.example\n",
		"with a final dot: edge.portals.example.", "instead:\n\n  A  sign  192.0.2.10\n", "dig +short sign.acme.example CNAME", "It answers:\n\n  edge.portals.example.\n",
	} {
		assert.Contains(t, got, want, "lacks")
	}
	whole := dns.Instructions("acme.co.uk", []dns.Record{{Type: "A", Name: "acme.co.uk", Value: "192.0.2.10"}})
	assert.Contains(t, whole, "Name:  @   (in the zone acme.co.uk;", "whole domain")
	assert.Contains(t, whole, "keep all others, such as MX", "whole domain")
	for typ, keeps := range map[string]string{"cname": "such as ALIAS or ANAME", "TXT": ""} {
		top := dns.Instructions("acme.example", []dns.Record{{Type: typ, Name: "@", Value: target}})
		assert.Contains(t, top, keeps, typ)
		assert.NotContains(t, top, "only this record", typ)
	}
	assert.NotContains(t, whole, "final dot", "whole domain")
	assert.NotContains(t, whole, "instead", "whole domain")
	assert.Contains(t, dns.Instructions(host, nil), "no DNS record to create", "none")
}

// A relative name, "@", the zone and a final dot are spellings of the host name.
func TestForHost(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"sign.acme.example": host, "Sign.Acme.example.": host, "sign": host, "@": host, "": host, "acme.example": host, "acme.example.": host, "sign.acme": host,
		"www.acme.example": "www.acme.example", "_check.sign.acme.example": "_check.sign.acme.example",
		"_check.sign": "_check.sign.acme.example", "other": "other.acme.example", "app": "app.acme.example", "www.acme.com": "www.acme.com",
	} {
		got := dns.ForHost("sign.acme.example", []dns.Record{{Type: "cname", Name: name, Value: target + "."}})
		assert.Equal(t, []dns.Record{{Type: "CNAME", Name: want, Value: target}}, got, "%q", name)
	}
	for _, name := range []string{"@", "acme.example."} {
		text := dns.Instructions(host, []dns.Record{{Type: "A", Name: name, Value: "192.0.2.10"}})
		assert.NotContains(t, text, "Name:  @", "the zone of a host name below it")
		assert.Contains(t, dns.Instructions("acme.example", []dns.Record{{Type: "A", Name: name, Value: "192.0.2.10"}}), "Name:  @   (in the zone acme.example;")
	}
}
