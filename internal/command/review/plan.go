// Package review lists the effects of a saved plan: the subcommand `review`. It reads the JSON of `terraform show -json`,
// converts each change of this provider's resources to values of their schema, and asks the functions that also make the
// plan's warnings. It makes no call.
package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/command/listing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// plan is what the review needs of a saved plan.
type plan struct {
	changes     []*change
	drift       []*change // outside of Terraform
	invocations []*invocation
	names       effect.Names
	config      configModule
	later       map[string][]later // objects whose IDs are known after apply, by type
	imports     int
	assigned    []*assigned // of the state before the plan
	catalog     map[item][]catalogEntry
	codes       map[string]string   // of packages, by ID, also of those that only an assignment shows
	remaining   map[string]*float64 // of the allowance, by item
	partial     bool                // applying it leaves changes to another plan
	foreign     bool                // it has changes, and nothing of this provider
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
	Address      string `json:"address"`
	Mode         string `json:"mode"`
	Type         string `json:"type"`
	Deposed      string `json:"deposed"`
	ActionReason string `json:"action_reason"`
	values       `json:"change"`

	hidden secrets
}

// values of an object before and after a change.
type values struct {
	Actions     []string `json:"actions"`
	Importing   any      `json:"importing"`
	Before      any      `json:"before"`
	After       any      `json:"after"`
	Unknown     any      `json:"after_unknown"` // what is known after apply is true
	BeforeMarks any      `json:"before_sensitive"`
	AfterMarks  any      `json:"after_sensitive"`
}

func isItem(typ string) bool {
	return typ == typePackage || typ == typeAddon
}

func (c *change) imports() bool {
	return c.Importing != nil
}

func (c *change) does(action string) bool {
	return slices.Contains(c.Actions, action)
}

// object is the planned one, or the one that is destroyed.
func (c *change) object() any {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// attribute is a text of the object; "" if it is unknown.
func (c *change) attribute(name string) string {
	return textOf(c.object(), name)
}

// isUnknown reports whether an attribute is known after apply.
func (c *change) isUnknown(name string) bool {
	return c.Unknown == true || fieldsOf(c.Unknown)[name] == true
}

// fieldsOf are those of an object, nil for another value.
func fieldsOf(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}

// textOf finds a text in an object.
func textOf(object any, names ...string) string {
	for _, name := range names {
		object = fieldsOf(object)[name]
	}
	text, _ := object.(string)
	return text
}

// isMarked reports whether an object, its attribute or a part of that is sensitive.
func isMarked(marks any, attribute string) bool {
	if byName, ok := marks.(map[string]any); ok {
		return anyTrue(byName[attribute])
	}
	return anyTrue(marks)
}

func anyTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), anyTrue)
	case []any:
		return slices.ContainsFunc(v, anyTrue)
	}
	return false
}

// invocation of an action (Terraform 1.14 and later).
type invocation struct {
	Address   string   `json:"address"`
	Type      string   `json:"type"`
	Values    any      `json:"config_values"`
	Sensitive any      `json:"config_sensitive"`
	Trigger   struct { // empty for an action that the command line invokes
		Address   string `json:"triggering_resource_address"`
		Event     string `json:"action_trigger_event"` // such as AfterCreate
		OnFailure string `json:"on_failure"`           // such as ActionOnFailureTaint; Terraform 1.16 and later
	} `json:"lifecycle_action_trigger"`
}

// stateModule is a module of the state that the plan was made from: data sources are nowhere else.
type stateModule struct {
	Resources []struct {
		Address   string `json:"address"`
		Mode      string `json:"mode"`
		Type      string `json:"type"`
		Values    any    `json:"values"`
		Sensitive any    `json:"sensitive_values"`
	} `json:"resources"`
	Children []stateModule `json:"child_modules"`
}

// isOurs reports whether a type of resource or action is of this provider, which may be installed from any registry,
// host and namespace. A type that this version does not know is an error: it may have effects.
func isOurs(typ string) bool {
	return strings.HasPrefix(typ, effect.ProviderType+"_")
}

// What to run instead, in errors.
const howTo = "Save a plan with `terraform plan -out=PLAN`, and pipe `terraform show -json PLAN` into this command."

// inputError is an input that cannot be reviewed, in the user's words.
type inputError string

func (e inputError) Error() string {
	return string(e)
}

func noPlan(what string) error {
	return inputError(what + " " + howTo)
}

// planJSON is what is read of the JSON. A field that is only looked for does not keep its value.
type planJSON struct {
	Version     *string       `json:"format_version"`
	Changes     []*change     `json:"resource_changes"`
	Drift       []*change     `json:"resource_drift"`
	Invocations []*invocation `json:"action_invocations"`
	Prior       struct {
		Values struct {
			Root stateModule `json:"root_module"`
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

	// Of a state file and a state.
	Lineage found `json:"lineage"`
	Values  found `json:"values"`
}

type found bool

func (f *found) UnmarshalJSON([]byte) error {
	*f = true
	return nil
}

// read reads a plan.
func read(in io.Reader) (*plan, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var all planJSON
	decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	decoder.UseNumber()
	err = decoder.Decode(&all)
	if err == nil && decoder.More() {
		err = errors.New("more than one JSON value")
	}
	switch {
	case bytes.HasPrefix(text, []byte("PK")):
		return nil, inputError("The input is a saved plan in its binary form. Run `terraform show -json PLAN` and review what it prints.")
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}), bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return nil, inputError("The input is UTF-16, as some shells write redirected output. Write it as UTF-8, or pipe it into this command.")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, noPlan("The input ends in the middle of its JSON.")
	case err != nil:
		return nil, noPlan(fmt.Sprintf("The input is not the JSON of a plan (%s).", listing.Clean(err.Error())))
	}
	if err := all.check(); err != nil {
		return nil, err
	}
	return all.plan()
}

// check decides from the keys whether the JSON is a plan that can be applied. Minor versions only add.
func (p *planJSON) check() error {
	isPlan := bool(p.PlannedValues) || p.Changes != nil || p.Configuration != nil
	switch {
	case bool(p.Lineage), p.Version != nil && bool(p.Values) && !isPlan:
		return noPlan("The input is a state, not a plan.")
	case p.Version == nil || !isPlan:
		return noPlan("The input is JSON, but not of a plan.")
	case !strings.HasPrefix(*p.Version+".", "1."):
		return inputError(fmt.Sprintf("The plan has format version %q, and this command reads 1. "+
			"Use a version of the provider that fits your Terraform or OpenTofu.", listing.Clean(*p.Version)))
	case p.Errored:
		return inputError("The plan ended with an error, so that it lacks changes and cannot be applied. Fix the error and plan again.")
	}
	return nil
}

// plan keeps what is of this provider.
func (p *planJSON) plan() (*plan, error) {
	out := &plan{
		names: effect.Names{
			Hosts: map[string]string{}, Custom: map[string]string{}, Codes: map[string]string{}, Emails: map[string]string{}, New: map[string]bool{},
		},
		dns:     dns{map[string]bool{}, map[string]string{}},
		later:   map[string][]later{},
		catalog: map[item][]catalogEntry{}, codes: map[string]string{}, remaining: map[string]*float64{},
		partial: len(p.Deferred) > 0 || len(p.DeferredActions) > 0 || p.Complete != nil && !*p.Complete,
	}
	for _, i := range p.Invocations {
		if i == nil || i.Type == "" {
			return nil, unreadable("an invocation of an action without a type")
		}
	}
	out.invocations = p.Invocations
	out.noteModule(&p.Prior.Values.Root)
	for _, c := range slices.Concat(p.Drift, p.Changes) {
		if c == nil || c.Type == "" || c.Address == "" {
			return nil, unreadable("a change without an address or a type")
		}
		if !isOurs(c.Type) {
			continue
		}
		c.hidden.collect(c.Before, c.BeforeMarks, true)
		c.hidden.collect(c.After, c.AfterMarks, true)
		out.note(c.Type, c.Before, c.BeforeMarks)
		out.note(c.Type, c.After, c.AfterMarks)
		if c.Deposed != "" {
			c.Address += " (deposed object " + c.Deposed + ")"
		}
	}
	others := func(c *change) bool { return !isOurs(c.Type) }
	changes := len(p.Changes)
	out.drift = slices.DeleteFunc(p.Drift, others)
	out.changes = slices.DeleteFunc(p.Changes, others)
	out.foreign = changes > 0 && len(out.changes)+len(out.drift) == 0
	if p.Configuration != nil {
		out.config = p.Configuration.Root
	}
	for _, c := range out.changes {
		out.noteChange(c)
	}
	return out, nil
}

// noteChange keeps what other changes need of a change.
func (p *plan) noteChange(c *change) {
	if c.After != nil && textOf(c.After, "id") == "" {
		p.later[c.Type] = append(p.later[c.Type], later{c, stepsOf(c.Address)})
	}
	if c.imports() {
		p.imports++
	}
	if isItem(c.Type) && c.Mode != dataMode && c.After != nil {
		p.noteItem(c.Type, c.After, c.AfterMarks, c.Unknown, true)
	}
	if c.Type == typeLabel && c.Before == nil {
		p.names.New[strings.ToLower(c.attribute("domain"))] = true
	}
}

func unreadable(what string) error {
	return noPlan("The plan cannot be read: it has " + what + ". Nothing is known about its effects.")
}

// Types that name the others.
const (
	typeLabel   = "reseller_private_label"
	typePackage = "reseller_package"
	typeAddon   = "reseller_addon"
	typeQuota   = "reseller_quota"
	typeMember  = "reseller_member"
	typeSet     = "reseller_members"

	typeAssignment = "reseller_assignment"
)

const labelID = "private_label_id"

// note keeps the name of an object by its ID. A sensitive name is not kept.
func (p *plan) note(typ string, values, sensitive any) {
	keep := func(into map[string]string, id, name, attribute string) {
		if id != "" && name != "" && !isMarked(sensitive, attribute) {
			into[id] = name
		}
	}
	id := textOf(values, "id")
	switch typ {
	case typeLabel:
		keep(p.names.Hosts, id, textOf(values, "domain"), "domain")
		keep(p.names.Custom, id, textOf(values, "custom_domain"), "custom_domain")
		keep(p.names.Emails, textOf(values, "owner", "user_id"), textOf(values, "owner", "email"), "owner")
	case typePackage:
		keep(p.names.Codes, id, textOf(values, "code"), "code")
	case typeMember:
		keep(p.names.Emails, id, textOf(values, "email"), "email")
	}
}

// label is the private label that an object belongs to.
type label struct {
	effect.Label
	new   *change // that makes it, as far as the configuration shows
	isNew bool    // the configuration refers to one whose ID is known after apply
}

// labelOf returns the private label of an object before or after a change: by its ID, by its host name, or by the references
// of the configuration. byHost: the type has a private label's host name as its domain.
func (p *plan) labelOf(c *change, object any, byHost bool) label {
	known := effect.Label{ID: textOf(object, labelID)}
	if c.Type == typeLabel {
		known.ID = textOf(object, "id")
	}
	if byHost {
		known.Host = textOf(object, "domain")
	}
	if known != (effect.Label{}) {
		return label{Label: p.names.Label(known)}
	}
	attribute := labelID
	if byHost && !c.isUnknown(labelID) {
		attribute = "domain"
	}
	if !c.isUnknown(attribute) {
		return label{}
	}
	out := label{Label: effect.Label{Later: true}}
	if c.Type == typeLabel {
		return out
	}
	out.new, out.isNew = p.refersTo(c, attribute, typeLabel)
	if out.new == nil || isMarked(out.new.AfterMarks, "domain") {
		return out
	}
	out.isNew = out.new.Mode != dataMode
	if host := textOf(out.new.After, "domain"); host != "" {
		out.Label = p.names.Label(effect.Label{Host: host})
	}
	return out
}

// codeOf is the code of the package that a change refers to, whose ID is known after apply; "" if it is unknown.
func (p *plan) codeOf(c *change) string {
	if !c.isUnknown("package_id") {
		return ""
	}
	to, _ := p.refersTo(c, "package_id", typePackage)
	if to == nil || isMarked(to.AfterMarks, "code") {
		return ""
	}
	return strings.ToUpper(textOf(to.After, "code"))
}

// noteFigures keeps what a state shows of the allowance and of prices.
func (p *plan) noteFigures(typ, mode string, values, marks any) {
	switch {
	case isItem(typ): // also one that the plan destroys
		p.noteItem(typ, values, marks, nil, false)
	case typ == typeAssignment && mode != dataMode:
		if a := assignedOf(values); a != nil {
			p.assigned = append(p.assigned, a)
		}
		p.codes[textOf(values, "package_id")] = textOf(values, "package_code")
	case typ == typeQuota && !anyTrue(marks):
		fields := fieldsOf(values)
		for _, code := range items {
			left, ok := number(fields["remaining"], code)
			before, twice := p.remaining[code]
			switch {
			case !ok, twice && (before == nil || *before != left): // of two resellers
				p.remaining[code] = nil
			default:
				p.remaining[code] = &left
			}
		}
	}
}

// noteModule keeps the names of a state, and whether the DNS of its private labels is correct.
func (p *plan) noteModule(m *stateModule) {
	for _, s := range m.Resources {
		if !isOurs(s.Type) {
			continue
		}
		p.note(s.Type, s.Values, s.Sensitive)
		fields := fieldsOf(s.Values)
		p.noteFigures(s.Type, s.Mode, s.Values, s.Sensitive)
		verified := fields["domain_verified"] == true
		id := textOf(fields, "id")
		switch {
		case s.Type != typeLabel || fields == nil:
		case s.Mode == "data" && !verified:
			p.dns.lost[s.Address] = id
		case s.Mode == "managed" && verified:
			p.dns.verified[id] = true
		}
	}
	for i := range m.Children {
		p.noteModule(&m.Children[i])
	}
}
