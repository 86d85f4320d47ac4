# No object has two resource addresses.
package main

deny contains msg if {
	some e in effects("conflict")
	msg := sprintf("no_conflict: %s: %s", [name(e), e.what])
}
