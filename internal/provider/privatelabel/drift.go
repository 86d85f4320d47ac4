package privatelabel

// Drift says what the platform, the console or the client's DNS has changed. A private label that moved to another
// reseller is no longer in the list, like one that was deprovisioned.
func (kind) Drift(was, now *model) (out []string) {
	if now == nil {
		return []string{"no longer in the list"}
	}
	switch {
	case now.suspendedByPlatform() && !was.suspendedByPlatform():
		out = append(out, "suspended by the platform")
	case now.suspended() && !was.suspended():
		out = append(out, "suspended in the console")
	case was.suspended() && !now.suspended():
		out = append(out, "no longer suspended")
	}
	if attached := now.DomainAttached.ValueBool(); attached != was.DomainAttached.ValueBool() {
		out = append(out, map[bool]string{true: "host name attached", false: "host name no longer attached"}[attached])
	}
	if verified := now.DomainVerified.ValueBool(); verified != was.DomainVerified.ValueBool() {
		out = append(out, map[bool]string{true: "DNS verified", false: "DNS no longer verified"}[verified])
	}
	if !now.CustomDomain.Equal(was.CustomDomain) {
		out = append(out, "custom domain changed in the console")
	}
	if now.owner("user_id").ValueString() != was.owner("user_id").ValueString() {
		out = append(out, "another owner: "+now.owner("email").ValueString())
	}
	return out
}
