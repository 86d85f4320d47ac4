# Nothing that stays billed leaves the state unseen: an object is forgotten only with the label "release".
package main

deny contains msg if {
	not "release" in labels
	some e in effects("forgotten")
	msg := sprintf("nothing_forgotten: %s: %s. Add the label \"release\"", [name(e), e.what])
}
