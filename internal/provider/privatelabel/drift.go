package privatelabel

// drift says what the platform, the console or the client's DNS has changed. A private label that moved to another
// reseller is no longer in the list, like one that was deprovisioned.
func drift(was, now *model) []string {
	if now == nil {
		return []string{"no longer in the list"}
	}
	var out []string
	switch {
	case now.suspendedByPlatform() && !was.suspendedByPlatform():
		out = append(out, "suspended by the platform")
	case now.suspended() && !was.suspended():
		out = append(out, "suspended in the console")
	case was.suspended() && !now.suspended():
		out = append(out, "no longer suspended")
	}
	for _, flag := range []struct {
		was, now   bool
		lost, gain string
	}{
		{was.DomainAttached.ValueBool(), now.DomainAttached.ValueBool(), "host name no longer attached", "host name attached"},
		{was.DomainVerified.ValueBool(), now.DomainVerified.ValueBool(), "DNS no longer verified", "DNS verified"},
	} {
		switch {
		case flag.was && !flag.now:
			out = append(out, flag.lost)
		case flag.now && !flag.was:
			out = append(out, flag.gain)
		}
	}
	if !now.CustomDomain.Equal(was.CustomDomain) {
		out = append(out, "custom domain changed in the console")
	}
	if owner := now.owner(); owner.UserID.ValueString() != was.owner().UserID.ValueString() {
		out = append(out, "another owner: "+owner.Email.ValueString())
	}
	return out
}
