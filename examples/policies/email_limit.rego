# A plan emails at most limits.emails people (default 20).
package main

deny contains msg if {
	count(effects("email")) > limit("emails", 20)
	msg := sprintf("email_limit: %d people would be emailed, and the limit is %v", [count(effects("email")), limit("emails", 20)])
}
