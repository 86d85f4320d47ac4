package providertest

import "fmt"

const Bob = "reseller_member.bob"

// Person is the block of a member, with further lines.
func (w *LabelEnv) Person(name, email, first string) string {
	return fmt.Sprintf("resource \"reseller_member\" %q {\n  private_label_id = %q\n  email = %q\n  first_name = %q\n  last_name = \"Byte\"\n}\n", name, w.Label, email, first)
}

func (w *LabelEnv) Bob() string { return w.Config(w.Person("bob", BobEmail, "Bob")) }

// Seats is the number of members.
func (w *LabelEnv) Seats() int { return w.Sim.Labels()[0].Members }
