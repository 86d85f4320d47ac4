// Package review lists the effects of a saved plan: the subcommand `review`. It reads the JSON of `terraform show -json`,
// converts each change of this provider's resources to values of their schema, and asks the functions that also make the
// plan's warnings. It makes no call.
package review

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/review/listing"
)

// plan is what the review needs of a saved plan.
type plan struct {
	changes     []*change
	drift       []*change // outside of Terraform
	invocations []invocation
	names       effect.Names
	labels      labels
	imports     int
	partial     bool // applying it leaves changes to another plan
	dns         dns
}

// dns is what the state before a plan shows of the DNS of private labels. A plan reads a private label whose DNS was
// correct from the list, which does not show it; a data source reads it each time.
type dns struct {
	verified map[string]bool   // by private label ID, in state
	lost     map[string]string // private label ID by the address of the data source that shows it
}

// change of one resource instance.
type change struct {
	Address      string          `json:"address"`
	Module       string          `json:"module_address"`
	Mode         string          `json:"mode"`
	Name         string          `json:"name"`
	Index        json.RawMessage `json:"index"`
	Type         string          `json:"type"`
	Deposed      string          `json:"deposed"`
	ActionReason string          `json:"action_reason"`
	Change       struct {
		Actions         []string        `json:"actions"`
		Importing       json.RawMessage `json:"importing"`
		Before          json.RawMessage `json:"before"`
		After           json.RawMessage `json:"after"`
		AfterUnknown    json.RawMessage `json:"after_unknown"`
		BeforeSensitive json.RawMessage `json:"before_sensitive"`
		AfterSensitive  json.RawMessage `json:"after_sensitive"`
	} `json:"change"`

	before, after, unknown any
	hidden                 secrets
}

// decode reads the values of a change, which are JSON that was decoded before.
func (c *change) decode() {
	c.before, c.after, c.unknown = decodeAny(c.Change.Before), decodeAny(c.Change.After), decodeAny(c.Change.AfterUnknown)
	c.hidden.collect(c.before, decodeAny(c.Change.BeforeSensitive))
	c.hidden.collect(c.after, decodeAny(c.Change.AfterSensitive))
	if c.Deposed != "" {
		c.Address += " (deposed object " + c.Deposed + ")"
	}
}

func (c *change) imports() bool {
	return len(c.Change.Importing) > 0 && string(c.Change.Importing) != "null"
}

// attribute is a text of the object, "" if it is unknown: of the planned one, or of the one that is destroyed.
func (c *change) attribute(name string) string {
	return cmp.Or(textOf(c.after, name), textOf(c.before, name))
}

// textOf finds a text in an object.
func textOf(object any, names ...string) string {
	for _, name := range names {
		fields, _ := object.(map[string]any)
		object = fields[name]
	}
	text, _ := object.(string)
	return text
}

// invocation of an action (Terraform 1.14 and later).
type invocation struct {
	Address   string          `json:"address"`
	Type      string          `json:"type"`
	Values    json.RawMessage `json:"config_values"`
	Sensitive json.RawMessage `json:"config_sensitive"`
	Unknown   json.RawMessage `json:"config_unknown"`
	Trigger   struct {        // empty for an action that the command line invokes
		Address   string `json:"triggering_resource_address"`
		Event     string `json:"action_trigger_event"` // such as AfterCreate
		OnFailure string `json:"on_failure"`           // such as ActionOnFailureTaint; Terraform 1.16 and later
	} `json:"lifecycle_action_trigger"`
}

// taints reports whether a failure of the action taints the resource that triggers it. Only a create can be tainted.
func (i *invocation) taints() bool {
	return i.Trigger.Event == "AfterCreate" && i.Trigger.OnFailure == "ActionOnFailureTaint"
}

// trigger is how a resource triggers the action, as its block says it; "" if the command line invokes it.
func (i *invocation) trigger() string {
	if i.Trigger.Address == "" {
		return ""
	}
	text := fmt.Sprintf(" (%s of %s", snake(i.Trigger.Event), i.Trigger.Address)
	if onFailure := snake(strings.TrimPrefix(i.Trigger.OnFailure, "ActionOnFailure")); onFailure != "" {
		text += ", on_failure = " + onFailure
	}
	return text + ")"
}

var capital = regexp.MustCompile("[A-Z]")

// snake is a name of the JSON as a configuration has it: after_create.
func snake(name string) string {
	return strings.TrimPrefix(strings.ToLower(capital.ReplaceAllString(name, "_$0")), "_")
}

// stateResource is a resource or a data source in the state that a plan was made from.
type stateResource struct {
	Address   string          `json:"address"`
	Mode      string          `json:"mode"`
	Type      string          `json:"type"`
	Values    json.RawMessage `json:"values"`
	Sensitive json.RawMessage `json:"sensitive_values"`
}

// isOurs reports whether a type of resource or action is of this provider, which may be installed from any registry,
// host and namespace. A type that this version does not know is an error: it may have effects.
func isOurs(typ string) bool { return strings.HasPrefix(typ, effect.ProviderType+"_") }

// inputError is an input that cannot be reviewed, in the user's words.
type inputError string

func (e inputError) Error() string { return string(e) }

func noPlan(what string) error { return inputError(what + " " + howTo + ".") }

// What to run instead, in errors.
const howTo = "Save a plan with `terraform plan -out=PLAN`, and pipe `terraform show -json PLAN` into this command"

// planJSON is what is read of the JSON. A field that is only looked for does not keep its value.
type planJSON struct {
	Version     *string       `json:"format_version"`
	Changes     []*change     `json:"resource_changes"`
	Drift       []*change     `json:"resource_drift"`
	Invocations []*invocation `json:"action_invocations"`
	Prior       struct {
		Values struct {
			Root module `json:"root_module"`
		} `json:"values"`
	} `json:"prior_state"`
	Errored         bool    `json:"errored"`
	Complete        *bool   `json:"complete"`
	Deferred        []found `json:"deferred_changes"`
	DeferredActions []found `json:"deferred_action_invocations"`
	PlannedValues   found   `json:"planned_values"`
	Configuration   *struct {
		Root configModule `json:"root_module"`
	} `json:"configuration"`

	// Of a log, a state file and a state.
	Level   found `json:"@level"`
	Lineage found `json:"lineage"`
	Serial  found `json:"serial"`
	Values  found `json:"values"`
}

type found bool

func (f *found) UnmarshalJSON([]byte) error {
	*f = true
	return nil
}

// module of the state that the plan was made from: data sources are nowhere else.
type module struct {
	Resources []stateResource `json:"resources"`
	Children  []module        `json:"child_modules"`
}

// maxPlan is the largest plan that is read, in bytes.
const maxPlan = 512 << 20

// read reads a plan.
func read(in io.Reader, limit int64) (*plan, error) {
	text, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > limit {
		return nil, inputError(fmt.Sprintf("The input is larger than %d MB, the most that this command reads.", limit>>20))
	}
	text, err = recognized(text)
	if err != nil {
		return nil, err
	}
	var all planJSON
	decoder := json.NewDecoder(bytes.NewReader(text))
	err = decoder.Decode(&all)
	switch {
	case bool(all.Level):
		return nil, noPlan("The input is the log of `terraform plan -json`.")
	case err == nil && decoder.More():
		err = errors.New("more than one JSON value")
	}
	if err != nil {
		return nil, notJSON(err)
	}
	if err := all.judge(); err != nil {
		return nil, err
	}
	return all.plan()
}

// recognized returns an error for inputs that are often confused with the JSON of a plan, by their first bytes.
func recognized(text []byte) ([]byte, error) {
	switch {
	case len(text) == 0:
		return nil, noPlan("The input is empty.")
	case bytes.HasPrefix(text, []byte("PK")):
		return nil, inputError("The input is a saved plan in its binary form. Run `terraform show -json PLAN` and review what it prints.")
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}), bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return nil, inputError("The input is UTF-16, as some shells write redirected output. Write it as UTF-8, or pipe it into this command.")
	default:
		return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), nil
	}
}

func notJSON(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return noPlan("The input ends in the middle of its JSON.")
	case strings.Contains(err.Error(), "exceeded max depth"):
		return inputError("The input is nested too deeply for a plan.")
	default:
		return noPlan(fmt.Sprintf("The input is not the JSON of a plan (%s).", listing.Clean(err.Error())))
	}
}

// judge decides from the keys whether the JSON is a plan that can be applied. Minor versions only add.
func (p *planJSON) judge() error {
	isPlan := bool(p.PlannedValues) || p.Changes != nil || p.Configuration != nil
	switch {
	case bool(p.Lineage && p.Serial):
		return noPlan("The input is a state file.")
	case p.Version != nil && bool(p.Values) && !isPlan:
		return noPlan("The input is a state, not a plan: `terraform show -json` was run without a plan file.")
	case p.Version == nil || !isPlan:
		return noPlan("The input is JSON, but not of a plan.")
	}
	if major, _, _ := strings.Cut(*p.Version, "."); major != "1" {
		return inputError(fmt.Sprintf("The plan has format version %q, and this command reads 1. "+
			"Use a version of the provider that fits your Terraform or OpenTofu.", listing.Clean(*p.Version)))
	}
	if p.Errored {
		return inputError("The plan ended with an error, so that it lacks changes and cannot be applied. Fix the error and plan again.")
	}
	return nil
}

// plan keeps what is of this provider.
func (p *planJSON) plan() (*plan, error) {
	out := &plan{
		names:   effect.Names{Hosts: map[string]string{}, Codes: map[string]string{}, Emails: map[string]string{}, New: map[string]bool{}},
		dns:     dns{map[string]bool{}, map[string]string{}},
		partial: len(p.Deferred) > 0 || len(p.DeferredActions) > 0 || p.Complete != nil && !*p.Complete,
	}
	for _, i := range p.Invocations {
		if i == nil || i.Type == "" {
			return nil, unreadable("an invocation of an action without a type")
		}
		out.invocations = append(out.invocations, *i)
	}
	out.noteModule(&p.Prior.Values.Root)
	for _, c := range slices.Concat(p.Drift, p.Changes) {
		if c == nil || c.Type == "" || c.Address == "" {
			return nil, unreadable("a change without an address or a type")
		}
		if isOurs(c.Type) {
			c.decode()
			out.note(c.Type, c.before, c.Change.BeforeSensitive)
			out.note(c.Type, c.after, c.Change.AfterSensitive)
		}
	}
	others := func(c *change) bool { return !isOurs(c.Type) }
	out.drift, out.changes = slices.DeleteFunc(p.Drift, others), slices.DeleteFunc(p.Changes, others)
	root := configModule{}
	if p.Configuration != nil {
		root = p.Configuration.Root
	}
	out.labels = newLabels(out, root)
	for _, c := range out.changes {
		if c.imports() {
			out.imports++
		}
		if c.Type == typeLabel && c.before == nil {
			out.names.New[strings.ToLower(c.attribute("domain"))] = true
		}
	}
	return out, nil
}

func unreadable(what string) error {
	return inputError("The plan cannot be read: it has " + what + ". Nothing is known about its effects. " + howTo + ".")
}

func (p *plan) noteModule(m *module) {
	for _, s := range m.Resources {
		if isOurs(s.Type) {
			p.note(s.Type, decodeAny(s.Values), s.Sensitive)
			p.dns.note(s)
		}
	}
	for i := range m.Children {
		p.noteModule(&m.Children[i])
	}
}
