package member_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/coretest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// The stories of members are about the private label of Ada, its owner. A name stands for an address of acme.example. Their
// steps:
//
//	config member NAME [FIRST]; LINE; LINE
//	                            declares a member, with further lines
//	config team NAME...         declares a set of members; "; import" adds an import block
//	config none                 declares nothing
//	join, leave, promote, demote NAME...
//	                            adds, removes, or changes the role of people in the console
//	again NAME                  removes a member in the console and adds the same person again
//	readdress NAME NEW          changes an address in the console
//	seats N                     assigns a package with so many seats
func TestMember_Stories(t *testing.T) {
	t.Parallel()
	coretest.Stories(t, newStage)
}

func newStage(t *testing.T, forms simulator.Forms) *coretest.Stage {
	t.Helper()
	w := providertest.NewLabelEnvOf(t, forms)
	sim, host := w.Sim, providertest.AcmeHost
	stage := &coretest.Stage{
		Env:    w.TestEnv,
		Config: w.Config(""),
		Routes: map[string]string{"add": providertest.RouteAdd, "remove": providertest.RouteRemove, "members": providertest.RouteMembers},
		Happened: func(books []simulator.Entry) string {
			said := fmt.Sprintf("calls: %d to add, %d to remove\n", w.Calls(providertest.RouteAdd), w.Calls(providertest.RouteRemove))
			for _, e := range books {
				if !e.Console {
					said += fmt.Sprintf("%s: %s\n", e.Kind, e.Person)
				}
			}
			return said + "members: " + strings.Join(w.People(host), ", ") + "\n"
		},
	}
	stage.Verbs = map[string]func(string){
		"config": func(rest string) {
			what, extra, _ := strings.Cut(rest, "; ")
			words := strings.Fields(what)
			switch words[0] {
			case "member":
				stage.Address = providertest.Bob
				first := append(words, "Bob")[2]
				block := w.Person("bob", address(words[1]), first)
				stage.Config = w.Config(strings.TrimSuffix(block, "}\n") + strings.ReplaceAll(extra, "; ", "\n") + "\n}\n")
			case "team":
				stage.Address = providertest.Team
				var people []string
				for _, name := range words[1:] {
					people = append(people, address(name))
				}
				stage.Config = w.Team(people...)
				if extra == "import" {
					stage.Config += fmt.Sprintf("import {\n  to = %s\n  id = %q\n}\n", providertest.Team, host)
				}
			default:
				stage.Config = w.Config("")
			}
		},
		"join": each(func(name string) { w.Join(name) }),
		"leave": each(func(name string) {
			require.NoError(t, sim.RemovePersonInConsole(host, name))
		}),
		"again": each(func(name string) {
			require.NoError(t, sim.RemovePersonInConsole(host, name))
			w.Join(name)
		}),
		"promote": each(func(name string) { require.NoError(t, sim.MakeAdmin(host, name)) }),
		"demote":  each(func(name string) { require.NoError(t, sim.DemoteAdmin(host, name)) }),
		"readdress": func(rest string) {
			old, now, _ := strings.Cut(rest, " ")
			require.NoError(t, sim.ChangeEmailInConsole(host, address(old), address(now)))
		},
		"seats": func(rest string) {
			var n float64
			_, err := fmt.Sscan(rest, &n)
			require.NoError(t, err)
			id, err := sim.AddPackage("SMALL", map[string]float64{"seats": n}, true)
			require.NoError(t, err)
			require.NoError(t, sim.AssignInConsole(host, id, nil))
		},
	}
	return stage
}

func each(act func(address string)) func(string) {
	return func(rest string) {
		for name := range strings.FieldsSeq(rest) {
			act(address(name))
		}
	}
}

func address(name string) string {
	if strings.Contains(name, "@") {
		return name
	}
	return name + "@acme.example"
}
