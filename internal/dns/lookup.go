// Package dns asks the machine's resolver what a host name resolves to, and explains in a sentence how that differs from
// the records that the API expects. It decides nothing: whether a host name is verified is the API's verdict alone.
package dns

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// Record is a DNS record of a host name, or of the name that its CNAME records lead to.
type Record struct {
	Type  string `json:"type"` // "CNAME", "A" or "AAAA"
	Name  string `json:"name"`
	Value string `json:"value"`
}

const typeCNAME = "CNAME"

// Fault is why a lookup has no records.
type Fault string

// The faults of a lookup; "" is none.
const (
	NotFound Fault = "not found"
	NoAnswer Fault = "no answer" // of the zone's name servers
	TimedOut Fault = "timed out"
)

// Answer is what a host name resolves to: its own CNAME and address records, then those of the names behind them.
type Answer struct {
	Records []Record
	Fault   Fault
}

// Lookup asks DNS about a host name. It ends with its context.
type Lookup func(ctx context.Context, host string) Answer

// lookupTime bounds one lookup.
const lookupTime = 5 * time.Second

// NewLookup returns a lookup by the machine's resolver. dial replaces the connection to it; nil connects to the servers
// that the machine is configured with.
//
// Go's resolver makes the queries: it knows the configuration of each system, retries, and distinguishes a name that
// does not exist from a server that fails. It returns only the last name of a chain, so the messages are read as they arrive.
func NewLookup(dial func(ctx context.Context, network, address string) (net.Conn, error)) Lookup {
	if dial == nil {
		dial = (&net.Dialer{}).DialContext
	}
	return func(ctx context.Context, host string) Answer {
		ctx, cancel := context.WithTimeout(ctx, lookupTime)
		defer cancel()
		seen := &messages{}
		resolver := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if packets, ok := conn.(*net.UDPConn); ok && err == nil {
				return &tap{packets, seen}, nil
			}
			return conn, err
		}}
		addresses, err := resolver.LookupNetIP(ctx, "ip", plainName(host)+".") // without a search domain
		return seen.answer(host, addresses, err)
	}
}

// tap reads the messages of a connection to a name server.
type tap struct {
	*net.UDPConn
	to *messages
}

func (t *tap) Read(b []byte) (int, error) {
	n, err := t.UDPConn.Read(b)
	t.to.add(b[:n])
	return n, err
}

// messages collects the records of all responses. Go's resolver asks for both kinds of addresses concurrently.
type messages struct {
	mu      sync.Mutex
	records []Record
}

func (m *messages) add(raw []byte) {
	var message dnsmessage.Message
	if message.Unpack(raw) != nil {
		return // Go's resolver judges it
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, answer := range message.Answers {
		record := Record{Name: plainName(answer.Header.Name.String())}
		switch body := answer.Body.(type) {
		case *dnsmessage.CNAMEResource:
			record.Type = typeCNAME
			record.Value = plainName(body.CNAME.String())
		case *dnsmessage.AResource:
			record.Type = "A"
			record.Value = netip.AddrFrom4(body.A).String()
		case *dnsmessage.AAAAResource:
			record.Type = "AAAA"
			record.Value = netip.AddrFrom16(body.AAAA).String()
		default:
			continue
		}
		if !slices.Contains(m.records, record) {
			m.records = append(m.records, record)
		}
	}
}

// answer orders the records by the chain that begins at a host name. Addresses that no message shows are from a file of
// the machine, or from a response over TCP.
func (m *messages) answer(host string, addresses []netip.Addr, err error) Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Record
	names := []string{plainName(host)}
	for i := 0; i < len(names); i++ {
		named := slices.DeleteFunc(slices.Clone(m.records), func(r Record) bool { return r.Name != names[i] })
		sort.Slice(named, func(i, j int) bool { return named[i].order() < named[j].order() })
		out = append(out, named...)
		for _, r := range named {
			if r.Type == typeCNAME && !slices.Contains(names, r.Value) {
				names = append(names, r.Value)
			}
		}
	}
	for _, address := range addresses {
		address = address.Unmap()
		kind := "AAAA"
		if address.Is4() {
			kind = "A"
		}
		if !slices.ContainsFunc(out, func(r Record) bool { return r.Value == address.String() }) {
			out = append(out, Record{Type: kind, Name: names[len(names)-1], Value: address.String()})
		}
	}
	if len(out) > 0 {
		return Answer{Records: out}
	}
	return Answer{Fault: faultOf(err)}
}

// order puts a CNAME before addresses.
func (r Record) order() string {
	return map[string]string{typeCNAME: "0", "A": "1", "AAAA": "2"}[r.Type] + r.Value
}

func faultOf(err error) Fault {
	failure, isDNS := errors.AsType[*net.DNSError](err)
	switch {
	case isDNS && failure.IsNotFound:
		return NotFound
	case errors.Is(err, context.DeadlineExceeded), isDNS && failure.IsTimeout:
		return TimedOut
	default:
		return NoAnswer
	}
}

// plainName is a name without case and final dot.
func plainName(name string) string {
	return strings.ToLower(strings.TrimSuffix(name, "."))
}
