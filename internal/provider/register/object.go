// Package register knows which resources of a plan manage which live objects, and what two of them do to each other. A live
// object is its ID in the API; its name decides only where one side has no ID yet. The provider asks it while it plans, with
// what one process sees; the review of a saved plan asks the same function about all addresses of the plan.
package register

// OnlyOne is the name of an object that is the only one of its type in a private label.
const OnlyOne = "only one"

// Object is a live object. What is not known is "".
type Object struct {
	// Type of the object. A set of members has objects of the type of a member.
	Type string
	// InLabel: the object belongs to a private label, whose ID is Label.
	InLabel bool
	Label   string
	// ID in the API.
	ID string
	// Name by which a create finds the object, in its normal form.
	Name string
}

// Likeness says how sure it is that two objects are one.
type Likeness int

const (
	// Different objects.
	Different Likeness = iota
	// Possible: all that is known of both agrees.
	Possible
	// Same object.
	Same
)

// Like compares two objects.
func (o Object) Like(other Object) Likeness {
	if o.Type != other.Type {
		return Different
	}
	like := agree(o.Name, other.Name)
	if o.ID != "" && other.ID != "" {
		like = agree(o.ID, other.ID)
	}
	if o.InLabel {
		like = min(like, agree(o.Label, other.Label))
	}
	return like
}

func agree(a, b string) Likeness {
	switch {
	case a == "" || b == "":
		return Possible
	case a == b:
		return Same
	default:
		return Different
	}
}

// keys are those by which the register finds an object: none while its private label is unknown.
func (o Object) keys() (keys []string) {
	if id := o.byID(); id != "" {
		keys = append(keys, id)
	}
	if o.Name != "" && (!o.InLabel || o.Label != "") {
		keys = append(keys, o.byName())
	}
	return keys
}

// byID is "" while the ID is unknown.
func (o Object) byID() string {
	if o.ID == "" || o.InLabel && o.Label == "" {
		return ""
	}
	return o.Type + " " + o.Label + " " + o.ID
}

func (o Object) byName() string {
	return o.Type + " " + o.Label + " named " + o.Name
}
