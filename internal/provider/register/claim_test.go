package register_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
)

// The ID decides. The name decides where one side has no ID, and the private label is a part of both.
func TestObject_Like(t *testing.T) {
	t.Parallel()
	item := func(id, name string) register.Object { return register.Object{Type: "package", ID: id, Name: name} }
	person := func(label, id, name string) register.Object {
		return register.Object{Type: "member", InLabel: true, Label: label, ID: id, Name: name}
	}
	for name, tc := range map[string]struct {
		a, b register.Object
		want register.Likeness
	}{
		"one ID":                       {item("1", "GOLD"), item("1", "SILVER"), register.Same},
		"another object with the name": {item("1", "GOLD"), item("2", "GOLD"), register.Different},
		"one name, one ID unknown":     {item("", "GOLD"), item("2", "GOLD"), register.Same},
		"other names":                  {item("", "GOLD"), item("2", "SILVER"), register.Different},
		"nothing known":                {item("", ""), item("2", "SILVER"), register.Possible},
		"another type":                 {item("1", "GOLD"), register.Object{Type: "addon", ID: "1", Name: "GOLD"}, register.Different},
		"one person":                   {person("a", "1", "bob"), person("a", "1", "rob"), register.Same},
		"one address in two labels":    {person("a", "", "bob"), person("b", "", "bob"), register.Different},
		"a label known after apply":    {person("", "", "bob"), person("b", "1", "bob"), register.Possible},
		"another address there":        {person("", "", "eve"), person("b", "1", "bob"), register.Different},
		"the assignments of one label": {register.Object{Type: "assignment", InLabel: true, Label: "a", ID: "a"}, register.Object{Type: "assignment", InLabel: true, Label: "a", ID: "a"}, register.Same},
		"assignments of two labels":    {register.Object{Type: "assignment", InLabel: true, Label: "a", ID: "a"}, register.Object{Type: "assignment", InLabel: true, Label: "b", ID: "b"}, register.Different},
		"an assignment known later":    {register.Object{Type: "assignment", InLabel: true}, register.Object{Type: "assignment", InLabel: true, Label: "b", ID: "b"}, register.Possible},
	} {
		assert.Equal(t, tc.want, tc.a.Like(tc.b), name)
		assert.Equal(t, tc.want, tc.b.Like(tc.a), "%s, in the other order", name)
	}
}

// Each pair of roles, in both orders.
func TestBetween(t *testing.T) {
	t.Parallel()
	is := func(role register.Role, change ...func(*register.Claim)) register.Claim {
		c := register.Claim{Role: role}
		for _, f := range change {
			f(&c)
		}
		return c
	}
	instance := func(c *register.Claim) { c.Instance = "one" }
	freely := func(c *register.Claim) { c.RenamesFreely = true }
	bySet := func(c *register.Claim) { c.By = "reseller_members" }
	repeatable := func(c *register.Claim) { c.Repeatable = true }
	wants := func(people ...string) func(*register.Claim) { return func(c *register.Claim) { c.Wants = people } }
	for name, tc := range map[string]struct {
		a, b register.Claim
		want register.Conflict
	}{
		"created twice":                    {is(register.Creates), is(register.Creates), register.Twice},
		"created and kept":                 {is(register.Creates), is(register.Keeps), register.Twice},
		"imported and kept":                {is(register.Imports), is(register.Keeps), register.Twice},
		"imported twice":                   {is(register.Imports), is(register.Imports), register.Twice},
		"kept, without private state":      {is(register.Keeps), is(register.Keeps), register.None},
		"kept by two types":                {is(register.Keeps, bySet), is(register.Keeps), register.Twice},
		"kept as two instances":            {is(register.Keeps, instance), is(register.Keeps), register.Twice},
		"kept as one instance":             {is(register.Keeps, instance), is(register.Keeps, instance), register.None},
		"created and removed":              {is(register.Creates), is(register.Removes), register.Renamed},
		"imported and removed":             {is(register.Imports), is(register.Removes), register.Renamed},
		"created and released":             {is(register.Creates), is(register.Releases), register.Renamed},
		"created and released for nothing": {is(register.Creates), is(register.Releases, freely), register.None},
		"kept and removed":                 {is(register.Keeps), is(register.Removes), register.Kept},
		"kept and released":                {is(register.Keeps), is(register.Releases), register.None},
		"removed twice":                    {is(register.Removes), is(register.Removes), register.None},
		"removed and released":             {is(register.Removes), is(register.Releases), register.None},
		"sent twice":                       {is(register.Creates, repeatable), is(register.Creates, repeatable), register.None},
		"sent and released":                {is(register.Creates, repeatable), is(register.Releases, repeatable), register.Renamed},
		"sets that agree":                  {is(register.Keeps, wants("bob"), instance), is(register.Keeps, wants("bob")), register.Twice},
		"sets that differ":                 {is(register.Keeps, wants("bob"), instance), is(register.Keeps, wants("bob", "eve")), register.Disputed},
		"sets, one in state":               {is(register.Keeps, wants("bob")), is(register.Creates, wants("eve")), register.Disputed},
		"new sets that differ":             {is(register.Creates, wants("bob")), is(register.Imports, wants("eve")), register.Twice},
		"a set known after apply":          {is(register.Keeps, wants("bob"), instance), is(register.Keeps), register.Twice},
	} {
		assert.Equal(t, tc.want, register.Between(tc.a, tc.b), name)
		assert.Equal(t, tc.want, register.Between(tc.b, tc.a), "%s, in the other order", name)
	}
}
