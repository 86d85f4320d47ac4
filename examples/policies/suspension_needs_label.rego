# Members of a private label are signed out by a suspension only with the label "suspend" on the merge request.
package main

deny contains msg if {
	not "suspend" in labels
	some e in effects("suspended")
	msg := sprintf("suspension_needs_label: %s: %s. Add the label \"suspend\"", [name(e), e.what])
}
