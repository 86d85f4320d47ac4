# A catalog code is permanent. It is created only with the label "catalog" on the merge request.
package main

deny contains msg if {
	not "catalog" in labels
	some e in effects("permanent")
	regex.match(`(^|\.)reseller_(package|addon)\.`, e.address)
	msg := sprintf("codes_need_label: code %s would be created. Add the label \"catalog\"", [name(e)])
}
