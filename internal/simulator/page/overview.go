package page

import (
	"html/template"
	"strings"
	"time"
)

// MaxRows limits each list of the page except private labels and their members.
const MaxRows = 50

// Overview is what the page shows of one reseller. It contains no key, token, confirmation key or passcode.
type Overview struct {
	Slug, Period string
	Now          time.Time
	Ahead        time.Duration // how far waits have moved the clock
	Refreshes    bool          // the page reloads itself

	Labels    []Label
	Suspended int // of the private labels
	Waiting   int // of the private labels, for DNS or to be attached
	Allowance []Allowance
	Catalog   []Item
	Outbox    List[Email]
	Documents List[Document]
	Minted    List[Mint]
	Calls     List[Call]
}

// Label is a private label as a card.
type Label struct {
	ID, Host, CustomDomain string
	AppName                string
	Colors                 Colors
	Logo, Banner           []byte // PNG; nil for none
	Status                 string
	SuspendedBy, Reason    string
	Attached, Verified     bool
	Record                 *Record
	Package                *Package
	Members                []Member
	CreatedAt              time.Time
}

// Initial replaces a missing logo.
func (l Label) Initial() string {
	for _, r := range l.AppName {
		return strings.ToUpper(string(r))
	}
	return ""
}

// LogoURL embeds the logo; empty for none.
func (l Label) LogoURL() template.URL { return embed(l.Logo) }

// BannerURL embeds the banner logo; empty for none.
func (l Label) BannerURL() template.URL { return embed(l.Banner) }

// Record is the DNS record to create.
type Record struct{ Name, Type, Value string }

// Package is the package of a private label.
type Package struct {
	Code, Name string
	Addons     []Addon
}

// Addon of a package.
type Addon struct {
	Name     string
	Quantity float64
}

// Member of a private label.
type Member struct{ Name, Email, Role string }

// Allowance of one item (§2.6).
type Allowance struct {
	Item         string
	Total, Taken float64
}

// Left is negative after an excess was confirmed (§3.2).
func (a Allowance) Left() float64 { return a.Total - a.Taken }

// Item of the catalog.
type Item struct {
	Kind, Code, Name, Currency string
	Active                     bool
	Labels                     int // that use it
}

// Email that was not sent.
type Email struct {
	Time                    time.Time
	To, Subject, Kind, Host string
}

// Document uploaded for signing.
type Document struct {
	Title, FileName, Owner, Domain, DueDate string
	Size                                    int // bytes
	Complete, HasPasscode                   bool
	Signers                                 []Signer
	Viewers                                 []string
	CreatedAt                               time.Time
}

// Signer of a document.
type Signer struct {
	Email  string
	Signed bool
}

// Mint is a minted document.
type Mint struct {
	AssetID                       int64
	AssetName, UnitName, Standard string
	OnIPFS                        bool
	CreatedAt                     time.Time
}

// Call is an entry of the journal.
type Call struct {
	Time        time.Time
	Route, Code string
	Status      int
	Fault       bool
}

// Failed reports whether the API rejected the call or its response was lost.
func (c Call) Failed() bool { return c.Status >= 400 }

// List has the newest rows of a longer list, the newest first.
type List[T any] struct {
	Rows  []T
	Total int
}

// Earlier counts the rows that are not shown.
func (l List[T]) Earlier() int { return l.Total - len(l.Rows) }

// NewestOf takes the last MaxRows of a list, the last one first.
func NewestOf[S, T any](all []S, show func(S) T) List[T] {
	out := List[T]{Total: len(all)}
	for i := len(all) - 1; i >= max(0, len(all)-MaxRows); i-- {
		out.Rows = append(out.Rows, show(all[i]))
	}
	return out
}
