// Package review lists the effects of a saved plan: the subcommand `review`. It reads the JSON of `terraform show -json`,
// converts each change of this provider's resources to values of their schema, and asks the functions that also make the
// plan's warnings. It makes no call.
package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// plan is what the review needs of a saved plan.
type plan struct {
	changes     []change
	drift       []change // outside of Terraform
	invocations []invocation
	names       effect.Names
	partial     bool // applying it leaves changes to another plan
}

// change of one resource instance.
type change struct {
	Address      string          `json:"address"`
	Module       string          `json:"module_address"`
	Index        json.RawMessage `json:"index"`
	Type         string          `json:"type"`
	Deposed      string          `json:"deposed"`
	ActionReason string          `json:"action_reason"`
	Change       struct {
		Actions         []string        `json:"actions"`
		Before          json.RawMessage `json:"before"`
		After           json.RawMessage `json:"after"`
		AfterUnknown    json.RawMessage `json:"after_unknown"`
		BeforeSensitive json.RawMessage `json:"before_sensitive"`
		AfterSensitive  json.RawMessage `json:"after_sensitive"`
	} `json:"change"`
}

// invocation of an action (Terraform 1.14 and later).
type invocation struct {
	Address   string          `json:"address"`
	Type      string          `json:"type"`
	Values    json.RawMessage `json:"config_values"`
	Sensitive json.RawMessage `json:"config_sensitive"`
	Unknown   json.RawMessage `json:"config_unknown"`
}

// stateResource is a resource or a data source in the state that a plan was made from.
type stateResource struct {
	Type      string          `json:"type"`
	Values    json.RawMessage `json:"values"`
	Sensitive json.RawMessage `json:"sensitive_values"`
}

// isOurs reports whether a type of resource or action is of this provider, which may be installed from any registry,
// host and namespace. A type that this version does not know is an error: it may have effects.
func isOurs(typ string) bool { return strings.HasPrefix(typ, effect.ProviderType+"_") }

// What to run instead, in errors.
const howTo = "Save a plan with `terraform plan -out=PLAN`, and pipe `terraform show -json PLAN` into this command"

// planReader collects a plan from the keys of the JSON, in any order.
type planReader struct {
	stream
	plan
	seen    map[string]bool
	errored bool
}

// maxPlan is the largest plan that is read, in bytes.
const maxPlan = 512 << 20

// read reads a plan. What it does not need is skipped without being kept.
func read(in io.Reader, limit int64) (*plan, error) {
	limited := &limitedReader{from: in, left: limit}
	text, err := recognize(limited)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(text)
	decoder.UseNumber()
	r := &planReader{stream: stream{decoder}, seen: map[string]bool{}}
	r.names = effect.Names{Hosts: map[string]string{}, Codes: map[string]string{}, Emails: map[string]string{}}
	if err = r.object(r.key); err == nil {
		err = r.end()
	}
	switch {
	case limited.left < 0:
		return nil, inputError(fmt.Sprintf("The input is larger than %d MB, the most that this command reads.", limit>>20))
	case limited.failed != nil:
		return nil, limited.failed
	case r.seen["@level"]:
		return nil, noPlan("The input is the log of `terraform plan -json`.")
	case err != nil:
		return nil, notJSON(err)
	}
	if err := r.judge(); err != nil {
		return nil, err
	}
	return &r.plan, nil
}

func notJSON(err error) error {
	if own, ok := errors.AsType[inputError](err); ok {
		return own
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return noPlan("The input ends in the middle of its JSON.")
	}
	return noPlan(fmt.Sprintf("The input is not the JSON of a plan (%v).", err))
}

func (r *planReader) key(name string) error {
	r.seen[name] = true
	switch name {
	case "format_version":
		return r.version()
	case "resource_changes":
		return r.array(func() error { return r.change(&r.changes) })
	case "resource_drift":
		return r.array(func() error { return r.change(&r.drift) })
	case "action_invocations":
		return r.array(r.invocation)
	case "deferred_changes", "deferred_action_invocations":
		return r.array(func() error {
			r.partial = true
			return r.skip()
		})
	case "prior_state":
		return r.state()
	case "errored":
		return r.Decode(&r.errored)
	case "complete":
		complete := true
		err := r.Decode(&complete)
		r.partial = r.partial || !complete
		return err
	default:
		return r.skip()
	}
}

// version accepts minor versions: those only add.
func (r *planReader) version() error {
	var version string
	if err := r.Decode(&version); err != nil {
		return err
	}
	if major, _, _ := strings.Cut(version, "."); major != "1" {
		return inputError(fmt.Sprintf("The plan has format version %q, and this command reads 1. "+
			"Use a version of the provider that fits your Terraform or OpenTofu.", clean(version)))
	}
	return nil
}

func (r *planReader) change(into *[]change) error {
	var c change
	if err := r.Decode(&c); err != nil {
		return err
	}
	if !isOurs(c.Type) {
		return nil
	}
	r.note(c.Type, c.Change.Before, c.Change.BeforeSensitive)
	r.note(c.Type, c.Change.After, c.Change.AfterSensitive)
	*into = append(*into, c)
	return nil
}

func (r *planReader) invocation() error {
	var i invocation
	if err := r.Decode(&i); err != nil {
		return err
	}
	if isOurs(i.Type) {
		r.invocations = append(r.invocations, i)
	}
	return nil
}

// state finds names in the state that the plan was made from: data sources are nowhere else.
func (r *planReader) state() error {
	return r.object(func(name string) error {
		if name != "values" {
			return r.skip()
		}
		return r.object(func(name string) error {
			if name != "root_module" {
				return r.skip()
			}
			return r.module(0)
		})
	})
}

func (r *planReader) module(depth int) error {
	if depth > maxDepth {
		return errTooDeep
	}
	return r.object(func(name string) error {
		switch name {
		case "resources":
			return r.array(func() error {
				var s stateResource
				if err := r.Decode(&s); err != nil {
					return err
				}
				if isOurs(s.Type) {
					r.note(s.Type, s.Values, s.Sensitive)
				}
				return nil
			})
		case "child_modules":
			return r.array(func() error { return r.module(depth + 1) })
		default:
			return r.skip()
		}
	})
}

// judge decides from the keys whether the JSON is a plan that can be applied.
func (r *planReader) judge() error {
	isPlan := r.seen["planned_values"] || r.seen["resource_changes"] || r.seen["configuration"]
	switch {
	case r.seen["lineage"] && r.seen["serial"]:
		return noPlan("The input is a state file.")
	case r.seen["format_version"] && r.seen["values"] && !isPlan:
		return noPlan("The input is a state, not a plan: `terraform show -json` was run without a plan file.")
	case !r.seen["format_version"] || !isPlan:
		return noPlan("The input is JSON, but not of a plan.")
	case r.errored:
		return inputError("The plan ended with an error, so that it lacks changes and cannot be applied. Fix the error and plan again.")
	}
	return nil
}
