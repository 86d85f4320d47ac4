// Package effect names what an apply does that costs money, reaches people, or cannot be undone. A resource derives its
// notices from prior state and plan in one pure function; the plan's warnings and the review of a saved plan are both
// made from these notices, so that they cannot differ.
package effect

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// Kind classifies an effect. The values are part of the output of `review`.
type Kind string

// Kinds of effects, in the order of a review: what was changed by others, then by harm.
const (
	// Drift: an object in state has changed outside of Terraform.
	Drift Kind = "drift"
	// Conflict: a plan destroys a live object at one address and creates, imports or keeps it at another, or creates it twice.
	Conflict Kind = "conflict"
	// Destroyed: a private label is deprovisioned.
	Destroyed Kind = "destroyed"
	// Unprotected: deletion_policy changes to a value under which a destroy loses more.
	Unprotected Kind = "unprotected"
	// Excess: consent to exceed the allowance, by allow_excess.
	Excess Kind = "excess"
	// Suspended: all members of a private label are signed out, or can sign in again.
	Suspended Kind = "suspended"
	// Removed: a member is signed out, or a package or an add-on is removed from a private label.
	Removed Kind = "removed"
	// Overwritten: a color or a logo that was set before is replaced.
	Overwritten Kind = "overwritten"
	// Permanent: a host name is bound, a code is created, a document is sent, signed or minted.
	Permanent Kind = "permanent"
	// Billed: a package or an add-on counts for the entire billing period.
	Billed Kind = "billed"
	// Deactivated: a package or an add-on is deactivated.
	Deactivated Kind = "deactivated"
	// Email: a person is sent an email.
	Email Kind = "email"
	// Forgotten: an object is only removed from state, or is no longer managed.
	Forgotten Kind = "forgotten"
)

// Kinds lists every kind in the order of a review.
func Kinds() []Kind {
	return []Kind{
		Drift, Conflict, Destroyed, Unprotected, Excess, Suspended, Removed, Overwritten, Permanent, Billed, Deactivated, Email, Forgotten,
	}
}

// Subjects whose value is known after apply, and must not be shown.
const (
	KnownAfterApply = "(known after apply)"
	Sensitive       = "(sensitive value)"
)

// Effect is one row of a review: what happens, to which host name, code or person.
type Effect struct {
	Kind Kind
	// What happens, as a phrase without the subject, such as "host name bound to its private label".
	What string
	// If is what a value that is known after apply has to be, such as "suspended is true"; "" for a certain effect.
	If string
	// Subject is a host name, a code, an email address or a title; KnownAfterApply where it is unknown.
	Subject string
}

// Phrase is what happens, with its condition.
func (e Effect) Phrase() string {
	if e.If == "" {
		return e.What
	}
	return e.What + ", if " + e.If
}

// Notice announces effects of one resource instance under one topic.
type Notice struct {
	Topic Topic
	// At is the attribute that can prevent the effects; the zero path is the whole resource.
	At path.Path
	// Detail names the object in its first sentence.
	Detail  string
	Effects []Effect
}

// Notices is what one resource instance announces.
type Notices []Notice

// Diagnostics returns one warning a notice.
func (ns Notices) Diagnostics() diag.Diagnostics {
	var diags diag.Diagnostics
	for _, n := range ns {
		diags.Append(n.diagnostic())
	}
	return diags
}

func (n Notice) diagnostic() diag.Diagnostic {
	if len(n.At.Steps()) == 0 {
		return diag.NewWarningDiagnostic(n.Topic.Summary, n.Detail)
	}
	return diag.NewAttributeWarningDiagnostic(n.At, n.Topic.Summary, n.Detail)
}

// Effects returns the rows of a review, in the order of the notices.
func (ns Notices) Effects() []Effect {
	var all []Effect
	for _, n := range ns {
		all = append(all, n.Effects...)
	}
	return all
}
