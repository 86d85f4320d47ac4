# Protection of a portal is not lifted in the plan that removes something from it or destroys it.
package main

deny contains msg if {
	some lifted in effects("unprotected")
	lifted.host != null
	some kind in ["destroyed", "removed", "suspended"]
	some e in effects(kind)
	e.host == lifted.host
	msg := sprintf("protection_lifted_and_removed: %s: the plan lifts a protection and has an effect of the kind %s. Use two plans", [lifted.host, kind])
}
