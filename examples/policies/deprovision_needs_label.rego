# A private label is deprovisioned only with the label "deprovision" on the merge request.
package main

deny contains msg if {
	not "deprovision" in labels
	some e in effects("destroyed")
	msg := sprintf("deprovision_needs_label: %s would be deprovisioned. Add the label \"deprovision\"", [name(e)])
}
