package review

import (
	"encoding/json"
	"slices"
)

// named lists the attributes that name objects.
type named struct {
	ID     string `json:"id"`
	Domain string `json:"domain"`
	Code   string `json:"code"`
	Email  string `json:"email"`
	Owner  *struct {
		UserID string `json:"user_id"`
		Email  string `json:"email"`
	} `json:"owner"`
}

// note keeps the name of an object by its ID. A sensitive name is not kept.
func (r *planReader) note(typ string, values, sensitive json.RawMessage) {
	var v named
	if len(values) == 0 || json.Unmarshal(values, &v) != nil || v.ID == "" {
		return
	}
	into, name, from := r.names.Hosts, v.Domain, "domain"
	switch typ {
	case "reseller_private_label":
		if v.Owner != nil {
			keep(r.names.Emails, v.Owner.UserID, v.Owner.Email, sensitive, "owner")
		}
	case "reseller_package":
		into, name, from = r.names.Codes, v.Code, "code"
	case "reseller_member":
		into, name, from = r.names.Emails, v.Email, "email"
	default:
		return
	}
	keep(into, v.ID, name, sensitive, from)
}

func keep(into map[string]string, id, name string, sensitive json.RawMessage, attribute string) {
	if id != "" && name != "" && !isMarked(sensitive, attribute) {
		into[id] = name
	}
}

// isMarked reports whether an object, its attribute or a part of that is sensitive.
func isMarked(sensitive json.RawMessage, attribute string) bool {
	var all any
	if len(sensitive) == 0 || json.Unmarshal(sensitive, &all) != nil {
		return false
	}
	if of, ok := all.(map[string]any); ok {
		return anyTrue(of[attribute])
	}
	return anyTrue(all)
}

func anyTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		for _, inner := range v {
			if anyTrue(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, anyTrue)
	}
	return false
}
