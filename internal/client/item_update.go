package client

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// §4.21: what an update does to the fields that it omits.

// updateBodies are the bodies to try: the item as it was read with the change in it, so that an API that replaces the item
// loses nothing, and the changed fields alone.
func updateBodies(k Kind, item Item, change ItemChange) []map[string]any {
	changed := bodyOf(change.Settings)
	if change.Name != nil {
		changed["name"] = *change.Name
	}
	if change.Active != nil {
		name, value := item.activeField(*change.Active)
		changed[name] = value
	}
	whole := bodyOf(item.fields())
	maps.DeleteFunc(whole, func(name string, _ any) bool { return isOtherID(name, item.Settings[name]) })
	if item.Code != "" {
		whole["code"] = item.Code
	}
	if item.HasActive() {
		name, value := item.activeField(item.Active)
		whole[name] = value
	}
	maps.Copy(whole, changed)
	whole[k.id], changed[k.id] = item.ID, item.ID
	return []map[string]any{whole, changed}
}

// apiTimes are fields that the API sets.
var apiTimes = []string{"createdAt", "updatedAt"}

// isOtherID reports whether a field has the ID of another object, such as that of the reseller.
func isOtherID(name string, value json.RawMessage) bool {
	var id string
	return strings.HasSuffix(name, "Id") && json.Unmarshal(value, &id) == nil && idForm.MatchString(id)
}

// fields are the name, the currency and the settings of an item, by the API's names, without the times that the API sets.
func (i Item) fields() anyjson.Object {
	out := anyjson.Object{}
	maps.Copy(out, i.Settings)
	for _, name := range apiTimes {
		delete(out, name)
	}
	for name, text := range map[string]string{"name": i.Name, "currency": i.Currency} {
		if text != "" {
			out[name], _ = anyjson.Encode(text) // a text is always JSON
		}
	}
	return out
}

// changesAlone is the key of the APIs that reject a whole item.
const changesAlone = "changes alone"

// sendUpdate sends an update. If it changes an active flag that the item does not show, the flag has the first of the three
// names that the API does not reject: a rejected call had no effect. alone: the API rejected the whole item.
func (c *Client) sendUpdate(ctx context.Context, k Kind, item Item, change ItemChange) (o transport.Outcome, alone bool) {
	names := []string{item.activeAs}
	if change.Active != nil && !item.HasActive() {
		names = forms.ActiveFlag.Fields()
	}
	for _, item.activeAs = range names {
		if o, alone = c.sendBody(ctx, k, item.Code, updateBodies(k, item, change)); !isOwnRejection(o.Err) {
			break
		}
	}
	return o, alone
}

// isOwnRejection reports whether the endpoint rejected what was sent, with a code of its own: not the token, the scope or
// a rate limit, and no server in front of the API did.
func isOwnRejection(err error) bool {
	e, answered := errors.AsType[*transport.Error](err)
	if !answered || e.IsPage() || NoSuchEndpoint(err) || transport.MayHaveTakenEffect(err) {
		return false
	}
	return e.Code != transport.CodeJSONWebTokenError &&
		!transport.IsStatus(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests)
}

// sendBody sends the first body that the API does not reject. POST, PUT and PATCH are tried, since 404 shows that the
// call had no effect, and what works is used from then on.
func (c *Client) sendBody(ctx context.Context, k Kind, code string, bodies []map[string]any) (o transport.Outcome, alone bool) {
	if _, known := c.worked.Load(changesAlone); known {
		bodies = bodies[len(bodies)-1:]
	}
	for i, body := range bodies {
		_ = c.findForm("update", forms.Update.Forms, func(f forms.Form) error {
			req := post("update the "+k.noun, k.route("/update"), repeatable).toward(billingLimits).with(body)
			req.Method = f.Method
			o = write(ctx, c, req, code, ignored).Outcome
			return o.Err
		})
		if !isOwnRejection(o.Err) {
			return o, i > 0
		}
	}
	return o, false
}

// readUpdated reads the item back, and says what the update lost; "" for nothing. A read that fails shows nothing: the
// next plan reads the item again.
func (c *Client) readUpdated(ctx context.Context, k Kind, before *Item, change ItemChange) string {
	after, err := c.GetItem(ctx, k, before.ID)
	if errors.Is(err, ErrNotReadAlone) {
		after, err = c.ItemByCode(ctx, k, before.Code)
	}
	if err != nil || after == nil {
		return ""
	}
	dropped, kept := lostBy(before, after, change)
	var lost []string
	if len(dropped) > 0 {
		lost = append(lost, "no longer shows "+strings.Join(dropped, ", "))
	}
	if len(kept) > 0 {
		lost = append(lost, "still shows the old value of "+strings.Join(kept, ", "))
	}
	return strings.Join(lost, " and ")
}

// lostBy returns the fields that an update has dropped, and those that it should have changed and did not.
func lostBy(before, after *Item, change ItemChange) (dropped, kept []string) {
	wanted := before.fields()
	for name, value := range change.Settings {
		wanted[name], _ = anyjson.Encode(value) // it was decoded
	}
	if change.Name != nil {
		wanted["name"], _ = anyjson.Encode(*change.Name) // a text is always JSON
	}
	dropped, kept = lostFields("", before.fields(), after.fields(), wanted)
	if change.Active != nil && *change.Active && after.HasActive() && !after.Active {
		kept = append(kept, after.activeAs)
	}
	slices.Sort(dropped)
	slices.Sort(kept)
	return dropped, kept
}

// lostFields compares objects, also those in them.
func lostFields(at string, before, after, wanted anyjson.Object) (dropped, kept []string) {
	for name, old := range before {
		now, want, place := after[name], wanted[name], at+name
		inner, innerNow := anyjson.ReadObject(old), anyjson.ReadObject(now)
		switch {
		case anyjson.IsNothing(old) || anyjson.IsNothing(want):
		case anyjson.IsNothing(now):
			dropped = append(dropped, place)
		case inner != nil && innerNow != nil:
			d, k := lostFields(place+".", inner, innerNow, anyjson.ReadObject(want))
			dropped, kept = append(dropped, d...), append(kept, k...)
		case anyjson.SameText(now, old) && !anyjson.SameText(now, want):
			kept = append(kept, place)
		}
	}
	return dropped, kept
}
