package existing

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// managed returns what the state to carry has of an object, nil for nothing. Its attributes are exported as a plan would
// read them: also what no read of the API shows, such as an owner's names.
func (r *Reseller) managed(key Key) *Managed {
	if r.options.Carry == nil || len(r.options.Carry.ByKey[key]) == 0 {
		return nil
	}
	return r.options.Carry.ByKey[key][0]
}

// read returns the state of an object: after a refresh if a state is carried that has it, else after an import. It is known
// of one that a list shows.
func (r *Reseller) read(ctx context.Context, key Key, known cty.Value) (cty.Value, error) {
	switch m := r.managed(key); {
	case m != nil:
		return r.source.refreshed(ctx, m)
	case known != cty.NilVal:
		return known, nil
	}
	return r.source.imported(ctx, key.Type, key.ID)
}

// readOthers reads what only a state has of a private label.
func (r *Reseller) readOthers(ctx context.Context, l *Label) error {
	for _, key := range []Key{{TypeBranding, l.Host}, {TypeVerification, l.ID}} {
		if r.managed(key) == nil {
			continue
		}
		state, err := r.read(ctx, key, cty.NilVal)
		if err != nil {
			return err
		}
		if o := r.object(ctx, key, l.Host, state); o != nil {
			l.Others = append(l.Others, o)
		}
	}
	return nil
}

// refreshed returns what a refresh has of an object of a state.
func (s *source) refreshed(ctx context.Context, m *Managed) (cty.Value, error) {
	typ := s.types[m.Type]
	values := map[string]cty.Value{}
	for name, typ := range typ.AttributeTypes() {
		value, err := m.value(name, typ)
		if err != nil {
			return cty.NilVal, &problem{text: m.File + ": " + m.Address + ": " + name + ": " + err.Error()}
		}
		values[name] = value
	}
	data, err := msgpack.Marshal(cty.ObjectVal(values), typ)
	if err != nil {
		return cty.NilVal, err
	}
	return s.read(ctx, &tfprotov6.ReadResourceRequest{TypeName: m.Type, CurrentState: &tfprotov6.DynamicValue{MsgPack: data}}, m.Address)
}

// value of an attribute. In a state file, one of any type comes with its type.
func (m *Managed) value(name string, typ cty.Type) (cty.Value, error) {
	text := m.raw[name]
	if text == nil {
		return cty.NullVal(typ), nil
	}
	if typ == cty.DynamicPseudoType && m.shown {
		implied, err := ctyjson.ImpliedType(text)
		if err != nil {
			return cty.NilVal, err
		}
		typ = implied
	}
	return ctyjson.Unmarshal(text, typ)
}

// attributesOf parses the attributes of a state.
func attributesOf(raw map[string]json.RawMessage) map[string]any {
	values := map[string]any{}
	for name, text := range raw {
		var value any
		if json.Unmarshal(text, &value) == nil {
			values[name] = value
		}
	}
	return values
}
