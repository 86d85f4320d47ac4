# allow_excess of one private label permits at most limits.consent of any item (default 10).
package main

deny contains msg if {
	some e in effects("excess")
	not e.quantity <= limit("consent", 10)
	msg := sprintf("consent_limit: allow_excess of %s permits %v of %s, and the limit is %v", [e.address, e.quantity, e.code, limit("consent", 10)])
}

# A consent that is known after apply can be any number.
deny contains msg if {
	some e in effects("excess")
	e.quantity == null
	msg := sprintf("consent_limit: allow_excess of %s is not known", [e.address])
}
