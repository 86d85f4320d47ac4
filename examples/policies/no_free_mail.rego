# No owner or member has an email address at a free mail provider.
package main

free_mail := {"gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "yahoo.com", "icloud.com", "proton.me", "gmx.net", "web.de"}

deny contains msg if {
	some e in effects("email")
	e.email != null
	domain := lower(array.reverse(split(e.email, "@"))[0])
	domain in free_mail
	msg := sprintf("no_free_mail: %s is at a free mail provider (%s)", [e.email, e.address])
}

deny contains msg if {
	some e in effects("email")
	e.email == null
	msg := sprintf("no_free_mail: the email address of %s is not known", [e.address])
}
