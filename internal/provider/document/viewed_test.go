package document

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// Each attribute of a viewed document has its field in the client's types: none stays null if the API returns all.
func TestViewed_EveryAttribute(t *testing.T) {
	t.Parallel()
	view := signing.View{}
	set(reflect.ValueOf(&view).Elem())
	view.DomainOwners = signing.Entries{json.RawMessage(`{"b":1.50}`)}
	read, err := fwtype.FromAPI(t.Context(), viewedSchema(), view)
	require.NoError(t, err)
	var check func(at string, v attr.Value)
	check = func(at string, v attr.Value) {
		assert.False(t, v.IsNull(), "%s is null", at)
		switch v := v.(type) {
		case types.Object:
			for name, field := range v.Attributes() {
				check(at+"."+name, field)
			}
		case types.List:
			for _, element := range v.Elements() {
				check(at, element)
			}
		}
	}
	for name, attribute := range viewedSchema().Attributes {
		switch v, ok := read[name]; {
		case ok:
			check(name, v)
		case attribute.IsComputed():
			t.Errorf("%s is not read", name)
		}
	}
	assert.Equal(t, `[{"json":"{\"b\":1.50}"}]`, read["domain_owners"].String(), "domain owners")
}

// set gives each field a value that is not zero, and each list one element.
func set(v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // a view has no other kinds
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		set(v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			set(field)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			set(v.Index(0))
		}
	case reflect.String:
		v.SetString("x")
	}
}

// What an answer lacks is null, never 0, false or empty.
func TestViewed_WhatTheResponseLacks(t *testing.T) {
	t.Parallel()
	var view signing.View
	require.NoError(t, json.Unmarshal([]byte(`{"document":{"id":"d","verifyWallet":false},"recipients":[{"email":"a@b.example","trustScore":null}]}`), &view))
	read, err := fwtype.FromAPI(t.Context(), viewedSchema(), view)
	require.NoError(t, err)
	document := read["document"].(types.Object).Attributes()
	recipient := read["recipients"].(types.List).Elements()[0].(types.Object).Attributes()
	for name, value := range map[string]attr.Value{
		"title": document["title"], "created_at": document["created_at"], "owner_trust_score": document["owner_trust_score"],
		"verify_id_check": document["verify_id_check"], "require_notarisation": document["require_notarisation"],
		"trust_score": recipient["trust_score"], "sign_order": recipient["sign_order"], "verify_payment": recipient["verify_payment"],
	} {
		assert.True(t, value.IsNull(), "%s is %s", name, value)
	}
	assert.Equal(t, types.BoolValue(false), document["verify_wallet"])
}
