# A package changes in the first seven days of the month only: both packages are billed for the whole month.
package main

deny contains msg if {
	today > 7
	some e in effects("billed")
	is_string(e.before)
	e.quantity == null
	not stays(e)
	msg := sprintf("package_change_in_first_week: %s: %s", [name(e), e.what])
}

# The row of a removed package has no new value, and a row of the kind removed beside it.
stays(e) if {
	e.after == null
	some r in effects("removed")
	r.address == e.address
	r.code == e.code
}
