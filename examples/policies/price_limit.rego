# A plan costs at most limits.price minor units in each currency (default 100000), and all prices are known. Run `review` with
# -price.
package main

deny contains msg if {
	some p in report.price
	p.amount > limit("price", 100000)
	msg := sprintf("price_limit: %d minor units of %s, and the limit is %v", [p.amount, p.currency, limit("price", 100000)])
}

deny contains msg if {
	some e in effects("billed")
	e.price == null
	not paid(e)
	msg := sprintf("price_limit: the price of %s is not known", [name(e)])
}

# What stays billed has no price: it was billed before.
paid(e) if {
	e.before != null
	e.after == null
	some r in effects("removed")
	r.address == e.address
	r.code == e.code
}
