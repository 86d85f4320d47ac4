package providertest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// Team is the address of the set of members that Set declares.
const Team = "reseller_members.team"

// EveEmail is the email address of another user.
const EveEmail = "eve@acme.example"

// Set is the block of a set of members, all of them with the same names.
func (w *LabelEnv) Set(emails ...string) string { return SetOf(fmt.Sprintf("%q", w.Label), emails...) }

// SetOf is the block of a set for the private label that an expression names.
func SetOf(label string, emails ...string) string {
	var people strings.Builder
	for _, email := range emails {
		fmt.Fprintf(&people, "    %q = { first_name = \"Bob\", last_name = \"Byte\" }\n", email)
	}
	return fmt.Sprintf("resource \"reseller_members\" \"team\" {\n  private_label_id = %s\n  members = {\n%s  }\n}\n", label, people.String())
}

// Team is a configuration with a set of members.
func (w *LabelEnv) Team(emails ...string) string { return w.Config(w.Set(emails...)) }

// Join adds members outside of Terraform.
func (w *LabelEnv) Join(emails ...string) {
	w.T.Helper()
	for _, email := range emails {
		_, err := w.Sim.AddPersonInConsole(AcmeHost, email, "Bob", "Byte")
		require.NoError(w.T, err)
	}
}

// Declared returns the elements of `members` in a state, in order.
func Declared(i Instance) []string {
	members, _ := i.Attributes["members"].(map[string]any)
	return slices.Sorted(maps.Keys(members))
}

// People returns the members of a private label, in order.
func (w *LabelEnv) People(host string) []string {
	var people []string
	for _, l := range w.Sim.Labels() {
		if l.Host != host {
			continue
		}
		for _, p := range l.People {
			people = append(people, p.Email)
		}
	}
	slices.Sort(people)
	return people
}
