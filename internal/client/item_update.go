package client

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
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
	whole[k.id] = item.ID
	changed[k.id] = item.ID
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
// a rate limit, and no server in front of the API did. An update may be repeated, so that an earlier attempt whose response was
// lost does not matter.
func isOwnRejection(err error) bool {
	e, answered := errors.AsType[*transport.Error](err)
	if !answered || e.Status < http.StatusBadRequest || e.Status >= http.StatusInternalServerError || e.IsPage() || NoSuchEndpoint(err) {
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
			o = writeOnly(ctx, c, req, code)
			return o.Err
		})
		if !isOwnRejection(o.Err) {
			return o, i > 0
		}
	}
	return o, false
}

// readUpdated reads the item back until it shows the update, and says what it does not show; "" for nothing. A read that
// fails shows nothing.
func (c *Client) readUpdated(ctx context.Context, k Kind, before *Item, change ItemChange) string {
	lost := ""
	_, _ = transport.ReadUntil(ctx, c.Patience(), func(ctx context.Context) (bool, error) {
		after, err := c.GetItem(ctx, k, before.ID)
		if errors.Is(err, ErrNotReadAlone) {
			after, err = c.ItemByCode(ctx, k, before.Code)
		}
		if err != nil || after == nil {
			return true, err
		}
		lost = notShown(before, after, change)
		return lost == "", nil
	}, func(shown bool) bool { return shown })
	return lost
}

// notShown says what a read does not show of an update.
func notShown(before, after *Item, change ItemChange) string {
	lost := lostBy(before, after, change)
	var said []string
	for _, how := range []string{lostDropped, lostMissing, lostKept, lostOther} {
		if names := lost[how]; len(names) > 0 {
			slices.Sort(names)
			said = append(said, how+" "+strings.Join(names, ", "))
		}
	}
	return strings.Join(said, " and ")
}

// What a read after an update shows of a field.
const (
	lostDropped = "no longer show"
	lostMissing = "do not show"
	lostKept    = "still show the old value of"
	lostOther   = "show another value of"
)

// lostBy returns the fields that an update has dropped, and those that it should have set and did not, by what a read shows.
func lostBy(before, after *Item, change ItemChange) map[string][]string {
	wanted := before.fields()
	for name, value := range change.Settings {
		wanted[name], _ = anyjson.Encode(value) // it was decoded
	}
	if change.Name != nil {
		wanted["name"], _ = anyjson.Encode(*change.Name) // a text is always JSON
	}
	lost := map[string][]string{}
	lostFields(lost, "", before.fields(), after.fields(), wanted)
	if change.Active != nil && *change.Active && after.HasActive() && !after.Active {
		lost[lostKept] = append(lost[lostKept], after.activeAs)
	}
	return lost
}

// partsOf are the fields of an object, or the elements of a list by their places; nil for anything else.
func partsOf(raw json.RawMessage) anyjson.Object {
	if fields := anyjson.ReadObject(raw); fields != nil {
		return fields
	}
	var elements []json.RawMessage
	if json.Unmarshal(raw, &elements) != nil {
		return nil
	}
	out := anyjson.Object{}
	for i, element := range elements {
		out[strconv.Itoa(i)] = element
	}
	return out
}

// lostFields compares objects and lists, also those in them. A field that the update did not change may have any value.
func lostFields(lost map[string][]string, at string, before, after, wanted anyjson.Object) {
	for name, want := range wanted {
		old := before[name]
		now := after[name]
		place := at + name
		inner := partsOf(want)
		innerNow := partsOf(now)
		how := ""
		switch {
		case anyjson.IsNothing(want):
		case anyjson.IsNothing(now) && anyjson.IsNothing(old):
			how = lostMissing
		case anyjson.IsNothing(now):
			how = lostDropped
		case inner != nil && innerNow != nil:
			lostFields(lost, place+".", partsOf(old), innerNow, inner)
		case anyjson.SameJSON(want, now) || anyjson.SameJSON(want, old):
		case anyjson.SameJSON(now, old):
			how = lostKept
		default:
			how = lostOther
		}
		if how != "" {
			lost[how] = append(lost[how], place)
		}
	}
}
