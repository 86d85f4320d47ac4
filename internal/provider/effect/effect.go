// Package effect has as data what an apply does that costs money, reaches people, or cannot be undone. A resource derives
// its effects from prior state and plan in one pure function; the plan's warnings and the review of a saved plan are both
// made from them, so that they cannot differ.
package effect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// Kind classifies an effect. The values are part of the output of `review`.
type Kind string

// Kinds of effects, in the order of a review: what was changed by others, then by harm.
const (
	// Drift: an object in state has changed outside of Terraform.
	Drift Kind = "drift"
	// Conflict: two addresses of a plan have one live object, except where one only leaves the state.
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

// What stands for a value that is known after apply, or must not be shown.
const (
	KnownAfterApply = "(known after apply)"
	Sensitive       = "(sensitive value)"
)

// Event is what happens, and how a report says it.
type Event struct {
	Kind Kind
	// Phrase does not name the subject. It has {code}, {quantity}, {before}, {after} and {attributes} where it shows these of
	// an effect; the attributes are the keys of its former values, or of the new ones.
	Phrase string
	// Harm orders the events of one kind, the largest first.
	Harm Harm
}

// Event is one of a kind.
func (k Kind) Event(phrase string) Event {
	return Event{Kind: k, Phrase: phrase}
}

// Harm of what others have changed.
type Harm int

// Drift is a change by others that does a harm.
func (h Harm) Drift(phrase string) Event {
	return Event{Kind: Drift, Phrase: phrase, Harm: h}
}

// What has happened to an object: no harm, a part of it was lost, nobody can use it, it no longer exists with all that it had.
const (
	HarmNone Harm = iota
	HarmLost
	HarmUnusable
	HarmGone
)

// Effect is one thing that a plan does, or that has happened, as data. The texts of reports are made from it last.
type Effect struct {
	Event
	// If is what a value that is known after apply has to be, such as "suspended is true"; "" for a certain effect.
	If       string
	Address  string // of the resource; "" until a report knows it
	Reseller string // slug; "" if it is unknown
	Label    Label  // that the object belongs to
	// Code is that of a package or an add-on, or an item of the allowance. Email is that of a person. Name is what else names
	// the object: a title, or the ID of an object whose code is not known. Each is null where the effect has none.
	Code, Email, Name types.String
	Quantity          types.Float64
	// Before and After are the former and the new value, as JSON has them; nil if there is none, or it is unknown.
	Before, After any
	// Allocates: a package or an add-on reduces the allowance.
	Allocates bool
}

// About returns an event about the object that an attribute names, such as email. A private label names itself.
func About(e Event, attribute string, value types.String) Effect {
	switch attribute {
	case "email":
		return Effect{Event: e, Email: value}
	case "code":
		return Effect{Event: e, Code: value}
	case "domain", "private_label_id":
		return Effect{Event: e}
	default:
		return Effect{Event: e, Name: value}
	}
}

// Subject names what the effect reaches: a person, a code, a title, otherwise the private label.
func (e Effect) Subject() string {
	for _, name := range []types.String{e.Email, e.Code, e.Name} {
		if !name.IsNull() {
			return NameOf(name, KnownAfterApply)
		}
	}
	return cmp.Or(e.Label.Host, e.Label.ID, KnownAfterApply)
}

// What is what happens, with its condition, as a phrase without the subject.
func (e Effect) What() string {
	what := strings.NewReplacer(
		"{code}", NameOf(e.Code, KnownAfterApply), "{quantity}", shown(Number(e.Quantity)),
		"{before}", shown(e.Before), "{after}", shown(e.After), "{attributes}", e.attributes(),
	).Replace(e.Phrase)
	if e.If != "" {
		what += ", if " + e.If
	}
	return what
}

// IsCertain reports whether all values of the effect are known.
func (e Effect) IsCertain() bool {
	return e.If == "" && e.Subject() != KnownAfterApply && !e.Quantity.IsUnknown() && !e.Label.Later
}

func (e Effect) attributes() string {
	values, ok := e.Before.(map[string]any)
	if !ok {
		values, _ = e.After.(map[string]any)
	}
	return Series("and", slices.Sorted(maps.Keys(values)))
}

// Number is a number as JSON has it, nil if it is null or unknown.
func Number(v types.Float64) any {
	if v.IsNull() || v.IsUnknown() {
		return nil
	}
	return v.ValueFloat64()
}

func shown(value any) string {
	switch value := value.(type) {
	case nil:
		return KnownAfterApply
	case float64:
		return printable.Number(value)
	case []string:
		return Series("and", value)
	case map[string]any:
		return strings.Join(slice.Map(slices.Sorted(maps.Keys(value)), func(key string) string { return key + " (" + shown(value[key]) + ")" }), ", ")
	default:
		return fmt.Sprint(value)
	}
}

// Warning announces effects of one resource instance under one topic.
type Warning struct {
	Topic Topic
	// At is the attribute that can prevent the effects; the zero path is the whole resource.
	At path.Path
	// Detail names the object in its first sentence.
	Detail  string
	Effects []Effect
}

// Warnings is what one resource instance announces.
type Warnings []Warning

// Diagnostics returns a diagnostic for each warning.
func (ns Warnings) Diagnostics() diag.Diagnostics {
	var diags diag.Diagnostics
	for _, n := range ns {
		diags.Append(n.diagnostic())
	}
	return diags
}

func (n Warning) diagnostic() diag.Diagnostic {
	if len(n.At.Steps()) == 0 {
		return diag.NewWarningDiagnostic(n.Topic.Summary, n.Detail)
	}
	return diag.NewAttributeWarningDiagnostic(n.At, n.Topic.Summary, n.Detail)
}

// Effects returns the rows of a review, in the order of the warnings.
func (ns Warnings) Effects() []Effect {
	var all []Effect
	for _, n := range ns {
		all = append(all, n.Effects...)
	}
	return all
}
