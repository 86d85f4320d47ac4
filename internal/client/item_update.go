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

// updateBody is the change alone, or the item as it was read with the change in it.
func updateBody(k Kind, item Item, change ItemChange, whole bool) map[string]any {
	body := map[string]any{}
	setActive := func(active bool) {
		name, value := item.activeField(active)
		body[name] = value
	}
	if whole {
		for name, value := range item.fields() {
			if !isOtherID(name, value) {
				body[name] = value
			}
		}
		if item.Code != "" {
			body["code"] = item.Code
		}
		if item.HasActive() {
			setActive(item.Active)
		}
	}
	maps.Copy(body, change.Settings)
	if change.Name != nil {
		body["name"] = *change.Name
	}
	if change.Active != nil {
		setActive(*change.Active)
	}
	body[k.id] = item.ID
	return body
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

// endpointBody is the name of the forms of an update's body.
const endpointBody = "update body"

// sendUpdate sends the first form of an update that the API does not reject. If it changes an active flag that the item does
// not show, the flag has the first of the three names that the API does not reject: a rejected call had no effect.
func (c *Client) sendUpdate(ctx context.Context, k Kind, item Item, change ItemChange) (o transport.Outcome, body forms.Form) {
	names := []string{item.activeAs}
	if change.Active != nil && !item.HasActive() {
		names = forms.ActiveFlag.Names()
	}
	for _, item.activeAs = range names {
		for _, body = range c.tried(endpointBody, forms.UpdateBody.Forms) {
			req := post("update the "+k.noun, k.route("/update"), repeatable).toward(billingLimits).with(updateBody(k, item, change, body.Whole))
			_ = c.findForm("update", forms.Update.Forms, func(f forms.Form) error {
				req.Method = f.Method
				o = writeOnly(ctx, c, req, item.Code)
				return o.Err
			})
			if !isOwnRejection(o.Err) {
				return o, body
			}
		}
	}
	return o, body
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
