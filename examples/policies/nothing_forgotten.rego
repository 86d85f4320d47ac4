# An object that stays billed is removed from state only with the label "release".
package main

deny contains msg if {
	not "release" in labels
	some e in effects("forgotten")
	msg := sprintf("nothing_forgotten: %s: %s. Add the label \"release\"", [name(e), e.what])
}
