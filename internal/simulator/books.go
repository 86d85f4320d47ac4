package simulator

import (
	"maps"
	"slices"
	"time"
)

// EntryKind classifies an entry of the books.
type EntryKind string

// Kinds of entries. Each is a change that is permanent, costs money, reaches a person or removes something.
const (
	EntryHostBound       EntryKind = "host bound"       // §4.9: Host
	EntryCodeCreated     EntryKind = "code created"     // §4.21: Item, Code
	EntryDocumentSent    EntryKind = "document sent"    // Signing API §4.1: Subject
	EntryDocumentSigned  EntryKind = "document signed"  // Signing API §4.3: Subject
	EntryDocumentMinted  EntryKind = "document minted"  // Signing API §4.6: Subject
	EntryDeprovisioned   EntryKind = "deprovisioned"    // §4.12: Host
	EntryBilled          EntryKind = "billed"           // §1: Host, Item, Code, Quantity
	EntryExcessConfirmed EntryKind = "excess confirmed" // §3.2: Host, Item, Code, Quantity, Allowance, Excess
	EntryEmailed         EntryKind = "emailed"          // Host, Person, Subject
	EntrySuspended       EntryKind = "suspended"        // §4.13: Host
	EntryUnsuspended     EntryKind = "unsuspended"      // §4.14: Host
	EntryMemberRemoved   EntryKind = "member removed"   // §4.18: Host, Person
	EntryItemRemoved     EntryKind = "item removed"     // §4.21: Host, Item, Code, Quantity
	EntryItemDeactivated EntryKind = "item deactivated" // §4.21: Item, Code
)

// Values of Entry.Item.
const (
	ItemPackage = "package"
	ItemAddon   = "addon"
)

// Entry is one change that happened. A call that was rejected, or that changed nothing, has none.
type Entry struct {
	Kind      EntryKind `json:"kind"`
	Time      time.Time `json:"time"`
	Console   bool      `json:"console,omitempty"` // made in the console, in the app or by the platform instead of with an API key
	Host      string    `json:"host,omitempty"`    // of the private label
	Item      string    `json:"item,omitempty"`    // ItemPackage or ItemAddon
	Code      string    `json:"code,omitempty"`    // of the package or add-on
	Quantity  float64   `json:"quantity,omitempty"`
	Allowance string    `json:"allowance,omitempty"` // item code of the allowance that was exceeded (§2.6)
	Excess    float64   `json:"excess,omitempty"`    // that this change adds: of the stated one (§2.7), at most what was requested
	Person    string    `json:"person,omitempty"`    // email address
	Subject   string    `json:"subject,omitempty"`   // title of the document or the email, name of the asset
	Document  string    `json:"document,omitempty"`  // ID of the document, also of an email about one
}

// Books lists all entries, oldest first. The entries between two moments are the difference of two lengths.
func (s *Simulator) Books() []Entry {
	return read(s, func(d *data) []Entry { return slices.Clone(d.Books) })
}

// book records an entry. It is called under the lock, where the change is made.
func (s *Simulator) book(e Entry, now time.Time) {
	e.Time = now
	e.Console = !s.calling
	s.store.data.Books = append(s.store.data.Books, e)
}

// bookItem is called after a private label gets a package or an add-on. The remaining warnings were confirmed.
func (s *Simulator) bookItem(k *kind, l *label, i *item, quantity float64, confirmed []warning, now time.Time) {
	billed := Entry{Kind: EntryBilled, Host: l.Host, Item: k.singular, Code: i.Code, Quantity: quantity}
	s.book(billed, now)
	for _, w := range confirmed {
		excess := billed
		excess.Kind = EntryExcessConfirmed
		excess.Allowance = w.ItemCode
		excess.Excess = min(w.Excess, w.Requested)
		s.book(excess, now)
	}
}

// bookRemoved records what an assignment loses: items by ID with their quantities.
func (s *Simulator) bookRemoved(l *label, items map[string]float64, now time.Time) {
	r := s.store.data.reseller(l.ResellerID)
	if r == nil {
		return // the private label was moved to a reseller that the simulator does not have
	}
	for _, id := range slices.Sorted(maps.Keys(items)) {
		e := Entry{Kind: EntryItemRemoved, Host: l.Host, Quantity: items[id]}
		if p := r.pkg(id); p != nil {
			e.Item = ItemPackage
			e.Code = p.Code
		}
		if a := r.addon(id); a != nil {
			e.Item = ItemAddon
			e.Code = a.Code
		}
		s.book(e, now)
	}
}

// bookUpdate records that an update deactivated an item.
func (s *Simulator) bookUpdate(k *kind, before, after *item, now time.Time) {
	if before.Active && !after.Active {
		s.book(Entry{Kind: EntryItemDeactivated, Item: k.singular, Code: after.Code}, now)
	}
}

// bookDocument records what happened to a document.
func (s *Simulator) bookDocument(kind EntryKind, doc *document, now time.Time) {
	s.book(Entry{Kind: kind, Host: doc.domain(), Subject: doc.Title, Document: doc.ID}, now)
}

// post adds an email to the outbox. document is the ID of the document that it is about.
func (s *Simulator) post(mail Email, document string) {
	s.store.data.Outbox = append(s.store.data.Outbox, mail)
	s.book(Entry{Kind: EntryEmailed, Host: mail.Host, Person: mail.To, Subject: mail.Subject, Document: document}, mail.Time)
}
