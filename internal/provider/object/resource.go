// Package object is the runtime of resources. A Resource says how its live object is read, which steps lead from one
// model to another, and how a step is taken. The runtime makes of it Read, ModifyPlan, Create,
// Update, Delete, import, identity, the warnings of a plan and the rows of its review.
//
// Its rule is that the state is the promise: a plan announces Steps(prior, planned), a pure function. An apply reads
// the live object, computes the steps again from what it sees, and returns an error before its first call if one of them
// was not announced. A create starts from nothing, so what exists makes it do less. A destroy is announced from a fresh
// read, and passes its announcement to Delete in private state.
package object

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Resource is a type of resource, and M is its model. The optional methods are the interfaces below.
type Resource[M Model] interface {
	Traits() Traits
	Schema(ctx context.Context) schema.Schema
	// Name names the object without an article, such as "assignment of sign.acme.example".
	Name(ctx context.Context, s *session.Session, m M) string
	// Import resolves an import ID to the values of the identity, in its order. Parts of an identity are joined by a slash.
	Import(ctx context.Context, s *session.Session, id string) ([]string, diag.Diagnostics)

	// Read returns a copy of a model, filled from the live object: nil without an error if the API shows none. Configured values
	// that mean the same keep their spelling. After an import, Base.Reseller is null. What the schema does not have of the
	// live object is in further fields of the copy.
	Read(ctx context.Context, s *session.Session, m M, age inventory.Freshness) (M, error)
	// Key is the name by which a create finds its live object, within its private label if it belongs to one; "" while it is
	// unknown, register.OnlyOne for the only one of a private label. That of a model which was just read is the live object's.
	Key(m M) string
	// Absence decides whether an object that Read did not find is absent.
	Absence(m M) inventory.Absence
	// Gone warns that an absent object was removed from state. left is what a destroy says instead: nil, unless there is an
	// object with the same key but a different ID.
	Gone(ctx context.Context, s *session.Session, m M) (removed, left diag.Diagnostic)

	// Steps lead from a prior model, nil for a create, to a wanted one, nil for a destroy. live is what Read returned, nil if
	// the object is absent or was not read; then the prior model stands for it. Steps is pure.
	Steps(was, want, live M) []effect.Step
	// Warnings say what the steps cost, whom they reach and what they remove. It is pure; a review has no live object.
	Warnings(v View[M], steps []effect.Step) effect.Warnings
	// Drift has what changed outside of Terraform between two states, now being nil for an object that is gone.
	Drift(was, now M) []effect.Effect
	// Begin returns what carries out one plan or apply, after its read. What a type keeps meanwhile are fields of it.
	Begin(c *Change[M]) Operation[M]
}

// Operation carries out one plan or apply of one object.
type Operation[M Model] interface {
	// Plan has further rules of a plan, and may change what is planned for computed attributes: only as a function of the
	// prior state and the plan, since an apply plans again.
	Plan(ctx context.Context) diag.Diagnostics
	// Check has the rules that hold at plan and again before the first call of an apply.
	Check(ctx context.Context) diag.Diagnostics
	// Execute makes the call of a step, and sets in now what the response shows.
	Execute(ctx context.Context, s effect.Step, now M) transport.Outcome
	// Explain explains a step that is not known to be in effect, after it has restored what the apply must not leave undone.
	// The run may be canceled.
	Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics
	// ReadBack completes now after the last step of a create or an update. Type.ReadBack reads it.
	ReadBack(ctx context.Context, now M) diag.Diagnostics
}

// What a Resource has besides, if it needs to.
type (
	// Manager has the members that a change of a set adds, keeps or removes, and all that the set wants, sorted. live is nil if
	// it was not read.
	Manager[M Model] interface {
		Manages(was, want, live M) (members []register.Claim, wants []string)
	}
	// DestroyReader also reads what a destroy removes with the object.
	DestroyReader[M Model] interface {
		ReadToDestroy(ctx context.Context, s *session.Session, m M, age inventory.Freshness) (M, error)
	}
	// Lightly read objects are those that a light refresh does not read. members is the number that private state has; the
	// result is what the last full read showed that the list shows, too.
	Lightly[M Model] interface {
		Light(m M, members int) inventory.Seen
	}
	// NoWarnings reports whether a plan without changes says nothing about the object; without it, none does.
	NoWarnings[M Model] interface {
		NoWarnings(m M) bool
	}
)

// DontRead is the age of a read that an apply does not need.
const DontRead inventory.Freshness = -1

// Traits are what a type says of itself without a model.
type Traits struct {
	// Type of the resource without the provider's prefix, such as "member".
	Type string
	// Identity lists the attributes that identify an object, and what each of them is. The state has them, too.
	Identity []Attribute
	// ProperNames: Name takes no article.
	ProperNames bool
	// Subject is the attribute that names an object in a review.
	Subject string
	// SummaryRead is the summary of a failed read.
	SummaryRead string
	// Validate checks a configuration that the attributes' own validators accept; nil for none. It reads the attributes that it
	// needs, since a plan validates every object, changed or not.
	Validate func(ctx context.Context, config tfsdk.Config) diag.Diagnostics
	// Policy is what deletion_policy means. Only for models that embed Guarded.
	Policy *effect.DeletionPolicy
	// Replacing lists the attributes whose change replaces the object.
	Replacing []string
	// Awaited lists further attributes that say which object is meant. While one of these or of Replacing is known after
	// apply, the plan of an object in state assumes its prior value.
	Awaited []string
	// NotReplaceable is the error of a replacement that no plan announced: -replace, replace_triggered_by or a tainted object.
	// Only a type whose destroy has no steps does without.
	NotReplaceable *Rejection
	// RenamesFreely: the object costs nothing to send again and nothing to destroy, so that a create does not read it, and
	// a create and a destroy of it in one plan are no error.
	RenamesFreely bool
	// StaleCodes are the API's codes which say that the object is not as it was read.
	StaleCodes []string
	// Unseen: a read does not show whether a step is in effect.
	Unseen bool
	// Resumes: a create that fails between two steps returns an error without state, and the next create does the rest.
	// Otherwise the first step makes the object, and a later failure is a warning.
	Resumes bool
	// ReadBeforeCreate, ReadBeforeUpdate and ReadBeforeDelete say how new the read before an apply must be, or DontRead; default:
	// inventory.Fresh. With inventory.Cached the deletes of one apply share a list, which is enough where the API rejects
	// what must not happen.
	ReadBeforeCreate, ReadBeforeUpdate, ReadBeforeDelete inventory.Freshness
}

// Attribute of an identity.
type Attribute struct{ Name, Description string }

// Rejection is an error of a type. Its detail has %s for the name of an object within a sentence.
type Rejection struct{ Summary, Detail string }

func (r *Rejection) of(name string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(r.Summary, fmt.Sprintf(r.Detail, name))
}

// TypeName is the type with the provider's prefix.
func (d *Traits) TypeName() string {
	return effect.ProviderType + "_" + d.Type
}

// Change is one plan or apply of one object.
type Change[M Model] struct {
	*session.Session   // as this request reads
	Was, Want        M // nil for a create, nil for a destroy
	Config           M // of a plan, where an omitted attribute is null; nil for a destroy
	// Kept is what an update that fails leaves in state: a copy of the prior model, with what the steps are known to have
	// changed that no read shows.
	Kept  M
	Live  M // nil if it is absent or was not read
	Steps []effect.Step
	// Done are the steps of this apply that are in effect.
	Done     []effect.Step
	Applying bool
	// Replacing: the plan destroys the prior object and creates the wanted one.
	Replacing bool

	warnings diag.Diagnostics
	doubtful bool // a step may be in effect
	unread   bool // this process has not read the object since it planned it last
}

// Warn adds a warning to an apply, about what its plan could not know.
func (c *Change[M]) Warn(d diag.Diagnostic) {
	c.warnings.Append(d)
}

// Creates reports whether the change creates the object.
func (c *Change[M]) Creates() bool {
	return isNil(c.Was)
}

// Destroys reports whether the change destroys the object.
func (c *Change[M]) Destroys() bool {
	return isNil(c.Want)
}

// Subject is the model that the change is about: the wanted one, or the prior one of a destroy.
func (c *Change[M]) Subject() M {
	if !c.Destroys() {
		return c.Want
	}
	return c.Was
}

// View is what an announcement is made from.
type View[M Model] struct {
	Was, Want M // nil for a create, nil for a destroy
	// Next is the wanted object of a replacement, in the view of its destroy.
	Next  M
	Live  M                   // what a plan found; a review finds nothing
	Label func() effect.Label // that the object is or belongs to; a plan may read a list for it
	Names Names
}

// Names are what others call an object: a plan looks it up, a review has what the saved plan shows.
type Names interface {
	// Label completes a private label of which the ID, the host name, or neither is known.
	Label(l effect.Label) effect.Label
	// Code returns the code of a package, "" if it is unknown.
	Code(packageID string) string
	// IsNew reports whether the plan provisions a host name, or its apply has.
	IsNew(host string) bool
}
