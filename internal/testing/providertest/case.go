package providertest

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// World is what the conformance cases of all resources start with: a verified private label with its owner, two packages,
// an add-on, and the settings for uploads and for the Signing API.
type World struct {
	*SigningEnv
	*AssignmentEnv

	Gone, Foreign string // IDs of private labels that Lose made

	late bool // reads show a write late
}

func NewWorld(t *testing.T) *World {
	t.Helper()
	return worldOf(NewAssignmentEnv(t, strictSigning))
}

// NewWorldInForms is a world whose API has forms by chance, the same in every run of a test, except for those of the questions
// that are kept: the cells of a matrix meet dozens of them.
func NewWorldInForms(t *testing.T, kept simulator.Forms) *World {
	t.Helper()
	forms := simulator.RandomForms(drawn(t))
	if forms["update-omitted"] == "removed" { // with a rejected whole item no update is possible without loss: an error
		forms["update-whole"] = "accepted"
	}
	if forms["addon-fields"] == "bare" { // no response shows what the flag is called
		forms["active-flag"] = "active"
	}
	if forms["settings"] == "dropped" { // what the API drops is a warning, a difference and an error: catalog's own tests
		forms["settings"] = "kept"
	}
	if forms["late"] == "2m" { // what no read shows for so long is an error, by TestLate_NotShown
		forms["late"] = "20s"
	}
	maps.Copy(forms, strictSigning)
	maps.Copy(forms, kept)
	t.Logf("simulate -forms %s", forms)
	w := worldOf(NewAssignmentEnv(t, forms))
	w.late = forms["late"] != "now"
	w.Settle()
	return w
}

// Settle lets the time pass until every read shows every write, if reads are late.
func (w *World) Settle() {
	if w.late {
		w.Sim.Clock().Advance(time.Minute)
	}
}

// NewWorldNow is a world at the time of this machine, for a provider in a process of its own: the simulator's times and the provider's
// markers are compared. Its private label is not verified, since that moves the clock.
func NewWorldNow(t *testing.T) *World {
	t.Helper()
	return worldOf(newAssignmentEnv(NewTestEnvOptions(t, simulator.Options{Forms: strictSigning, Clock: simulator.NewClock()})))
}

func worldOf(a *AssignmentEnv) *World {
	return &World{AssignmentEnv: a, SigningEnv: &SigningEnv{LabelEnv: &LabelEnv{TestEnv: a.TestEnv, Label: a.Label}}}
}

// Config is a configuration with all settings of the provider.
func (w *World) Config(body string) string {
	return w.ConfigWith(fmt.Sprintf("%s  signing = {\n    url = %q\n    user_api_key = %q\n  }\n", WithUploadURL, simulator.SigningURL, w.Sim.SigningAPIKey()), body)
}

// Effects is what both services have, without what changes by itself.
func (w *World) Effects() string {
	w.T.Helper()
	labels := w.Sim.Labels()
	for i := range labels {
		labels[i].Verified = false
	}
	documents := w.Sim.Documents()
	for i := range documents {
		documents[i].Views = 0
	}
	raw, err := json.Marshal([]any{labels, w.Sim.Packages(), w.Sim.Addons(), w.Sim.Branding(AcmeHost), documents, w.Sim.Minted()})
	require.NoError(w.T, err)
	return string(raw)
}

const (
	goneHost    = "gone.acme.example"
	foreignHost = "sign.foreign.example"
)

// Lose makes a private label that was deprovisioned, and one that another reseller has.
func (w *World) Lose() {
	w.T.Helper()
	var errs [4]error
	w.Gone, errs[0] = w.Sim.AddConsoleLabel(goneHost, "ada@acme.example")
	w.Foreign, errs[1] = w.Sim.AddConsoleLabel(foreignHost, "ada@acme.example")
	errs[2], errs[3] = w.Sim.DeprovisionInConsole(goneHost), w.Sim.MoveAway(foreignHost)
	for _, err := range errs {
		require.NoError(w.T, err)
	}
}

// NotLive are import IDs that begin with one of the lost private labels, with what the error of each says.
func (w *World) NotLive(suffix string) map[string]string {
	wrong := map[string]string{}
	for _, label := range []string{goneHost, foreignHost, w.Gone, w.Foreign} {
		wrong[label+suffix] = "is not a live private label of " + Slug
	}
	return wrong
}

// NotLabels are import IDs of the lost private labels, and others that are neither an ID nor a host name.
func (w *World) NotLabels(others ...string) map[string]string {
	wrong := w.NotLive("")
	for _, id := range append(others, "acme", "") {
		wrong[id] = fmt.Sprintf("%q is neither a private label ID nor a host name", id)
	}
	return wrong
}

// StoredAs is a block that is the same in every test environment.
func StoredAs(block string) func(*SigningEnv) string {
	return func(*SigningEnv) string { return block }
}

// Case is what is special to one type of resource. TestConformance derives from it what every resource must do, and fails
// for a type of the schema that has none and for a case that lacks a field which is not optional.
type Case struct {
	Type string

	Make  func(*World)        // makes in the console what Block configures
	Block func(*World) string // the configuration of one object
	Found func(*World) string `case:"optional"` // the configuration of what Make makes, if it differs
	Named string              `case:"optional"` // the object in an error about its changed address; empty: a rename loses nothing

	IDs      func(*World) []string          // each of them imports the object
	Identity func(*World) map[string]string `case:"optional"` // the identity of the object; nil: its schema has none
	Wrong    func(*World) map[string]string // an import ID to what the error of it says
	Form     string                         // the right form of an ID, in each of these errors
	Writes   bool                           // the first apply after an import sends what no read returns

	Settled     []func(*World) Settled `case:"optional"` // none: an unchanged object costs no call, so no path can be shorter
	OneReseller string                 `case:"optional"` // why no other reseller's key can meet its state; empty: it can
	Exported    bool                   // an export has it; otherwise the guide says what stays by hand
	Generated   string                 // the attributes of a generated configuration; "error: …" names those that cannot be
	Hostile     Hostile
	Stored      func(*SigningEnv) string // its blocks in the stored states

	Calls map[string]Call
	// Harmed says what must not have happened at any time; nil: nothing.
	Harmed func(*World, Workspace, Call) error `case:"optional"`
	// Once are the conversations of a call that is never repeated. Without them, a second apply converges.
	Once *OnceCall `case:"optional"`
}

// Settled are the moves of an unchanged object. Each of the configurations is that of the whole object.
type Settled struct {
	Config, Again, Other Values       // unchanged, unchanged after the drift (nil: the framework plans it), and a change
	Drift                func() error // changes the object outside of Terraform; nil: no read shows a change
	Remove               func() error // nil: nobody can
	Read                 string       // the route of the read that fails
	Reads                int          // how often it is called then
}

// Hostile are the configurations of TestHostileService, where @ is replaced by the set.
type Hostile struct{ Config, Change, Import string }

// Call is one call in the life of an object: the configuration before it, and that of the command which makes it.
type Call struct {
	Route     string
	Reads     []string                         `case:"optional"` // routes of the reads that show its effect
	Prepare   func(*World)                     `case:"optional"` // before anything is applied
	Before    func(*World) string              `case:"optional"` // nil: no object
	After     func(*World) string              `case:"optional"` // nil: no object
	Want      func(*World) error               `case:"optional"` // what the API has in the end; nil: what the configuration says
	OnlyReads bool                             // a fault that lasts is only an error, and a kill loses nothing
	NoEffect  bool                             // a read in the middle of an apply: nothing shows its effect, and a kill there has none
	Rejected  map[simulator.FaultKind][]string `case:"optional"` // a fault that a retry cannot help, and what its error says
}

// Missing are the fields that a case lacks. Every call that writes names the reads that show its effect, unless it is one
// of the Signing API's, whose effects no read shows.
func (c Case) Missing() (fields []string) {
	fields = zeroFields(reflect.ValueOf(c), "")
	if c.Settled == nil && c.Once == nil {
		fields = append(fields, "Settled")
	}
	for name, call := range c.Calls {
		fields = append(fields, zeroFields(reflect.ValueOf(call), "Calls["+name+"].")...)
		if len(call.Reads) == 0 && c.Once == nil && !call.OnlyReads && !call.NoEffect {
			fields = append(fields, "Calls["+name+"].Reads")
		}
	}
	return fields
}

// zeroFields are the fields of a struct that are zero and not optional. A flag may be false.
func zeroFields(object reflect.Value, prefix string) (names []string) {
	for field, value := range object.Fields() {
		if value.IsZero() && field.Type.Kind() != reflect.Bool && field.Tag.Get("case") != "optional" {
			names = append(names, prefix+field.Name)
		}
	}
	return names
}

// Body is one of the two configurations of a call.
func Body(w *World, configuration func(*World) string) string {
	if configuration == nil {
		return ""
	}
	return configuration(w)
}

var blockName = regexp.MustCompile(`(resource "\w+") "\w+"`)

// As gives a block another name.
func As(block, name string) string {
	return blockName.ReplaceAllString(block, fmt.Sprintf("$1 %q", name))
}
