package object

import (
	"cmp"
	"context"
	"crypto/rand"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// private is what the runtime stores beside the attributes of an object.
type private struct {
	// ID is the key of the object. A create that has one is the second half of a replacement.
	ID string `json:"id,omitempty"`
	// Host of the private label at the last read, for messages.
	Host string `json:"host,omitempty"`
	// Created by Terraform, so that null attributes were not sent.
	Created bool `json:"created,omitempty"`
	// Members is the number of members of the private label at the last full read, 0 if that is not known.
	Members int `json:"members,omitempty"`
	// Instance distinguishes the resource instance from another one that has the same live object.
	Instance string `json:"instance,omitempty"`
	// Alias is the key that the live object had at the last read, if the state has another one.
	Alias string `json:"alias,omitempty"`
	// Announced are the steps of a planned destroy; nil if none was planned.
	Announced *effect.Announcement `json:"announced,omitempty"`
	// Superseded: the apply that plans this destroy has stored the live object as another instance, so this one is a deposed
	// object, and only leaves the state.
	Superseded bool `json:"superseded,omitempty"`
}

// withoutPlan is the private state without what belongs to one plan.
func (p private) withoutPlan() private {
	p.Announced = nil
	p.Superseded = false
	return p
}

// LastingPrivate is the private state of a request without what belongs to one plan.
func LastingPrivate(raw []byte) []byte {
	p, keys := session.PrivateOf[private](raw)
	if p.Announced == nil {
		return raw
	}
	return session.PrivateWith(keys, p.withoutPlan())
}

// instanceOf is the instance in private state, or a new one.
func (p private) instanceOf() string {
	return cmp.Or(p.Instance, rand.Text())
}

func (p private) save(ctx context.Context, to session.PrivateWriter) diag.Diagnostics {
	if p.ID == "" && p.Announced == nil {
		return to.SetKey(ctx, session.PrivateStateKey, nil)
	}
	return session.SavePrivateState(ctx, to, p)
}
