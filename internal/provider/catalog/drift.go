package catalog

// Drift says what the console has changed, except for the settings, whose name is enough.
func (kind) Drift(was, now *model) []string {
	switch {
	case now == nil:
		return []string{"no longer in the catalog"}
	case was.Active.ValueBool() && !now.Active.ValueBool():
		return []string{"deactivated in the console"}
	case now.Active.ValueBool() && !was.Active.ValueBool():
		return []string{"activated in the console"}
	default:
		return nil
	}
}
