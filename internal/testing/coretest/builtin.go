package coretest

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// builtIn is a terraform_data.
type builtIn struct{ output, triggers tftypes.Value }

// builtInOf evaluates a terraform_data.
func builtInOf(b *block, in *scope) (out builtIn, err error) {
	if out.output, err = evaluate(b.attrs["input"], tftypes.DynamicPseudoType, in); err != nil {
		return out, err
	}
	out.triggers, err = evaluate(b.attrs["triggers_replace"], tftypes.DynamicPseudoType, in)
	return out, err
}

// planLate plans a built-in resource: its output is known only if it does not change.
func (p *corePlan) planLate(b *block) error {
	now, err := builtInOf(b, p.scope)
	if errors.Is(err, errUnplanned) {
		delete(p.late, b.address())
		return nil
	}
	same := func(before, now tftypes.Value) bool {
		return before.IsFullyKnown() && now.IsFullyKnown() && before.Type().Equal(now.Type()) && before.Equal(now)
	}
	before, existed := p.late[b.address()]
	if !existed || !same(before.output, now.output) || !same(before.triggers, now.triggers) {
		now.output = tftypes.NewValue(now.output.Type(), tftypes.UnknownValue)
	}
	p.late[b.address()] = now
	return err
}

// object is what others refer to.
func (r builtIn) object() tftypes.Value {
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"output": r.output.Type()}}
	return tftypes.NewValue(typ, map[string]tftypes.Value{"output": r.output})
}

// lateReplaced reports whether a built-in resource is destroyed and created.
func (p *corePlan) lateReplaced(address string) bool {
	before, existed := p.lateWas[address]
	now, remains := p.late[address]
	return existed && remains && !now.triggers.Equal(before.triggers)
}

// isManaged reports whether an address is that of a resource of the provider.
func isManaged(address string) bool {
	return !strings.HasPrefix(address, lateType+".") && !strings.HasPrefix(address, dataPrefix)
}

// unmanaged is a built-in resource or a data source.
func unmanaged(address string, late map[string]builtIn, data map[string]tftypes.Value) (tftypes.Value, bool) {
	if evaluated, ok := late[address]; ok {
		return evaluated.object(), true
	}
	value, ok := data[address]
	return value, ok
}
