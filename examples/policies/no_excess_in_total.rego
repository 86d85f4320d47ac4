# The remaining allowance is known, and covers what the plan needs.
package main

deny contains msg if {
	some a in report.allowance
	not fits(a)
	msg := sprintf("no_excess_in_total: %s: at most %v more, and %v are left", [a.item, shown(a.at_most), shown(a.remaining)])
}

fits(a) if a.at_most == 0

fits(a) if {
	a.at_most != null
	a.remaining != null
	a.at_most <= max([0, a.remaining])
}

shown(n) := "an unknown number" if n == null

shown(n) := n if n != null
