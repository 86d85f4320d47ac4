# What all policies use: the report of `review -format json`, and what the pipeline knows beside it.
package main

# Conftest and Atlantis give the report as the input. Spacelift gives it as custom metadata.
report := object.get(input, ["third_party_metadata", "custom", "review"], input) if {
	is_object(input)
} else := {}

# A missing report, or one of a different version, is rejected. No policy would find anything in it.
deny contains msg if {
	object.get(report, "format_version", "none") != "1.1"
	msg := "report: the input is not a report of `review -format json` of version 1.1"
}

effects(kind) := [e | some e in report.effects; e.kind == kind]

# Labels of the merge or pull request, from the data file of the pipeline.
labels := {l | some l in data.context.labels}

# The day of the month in UTC. The pipeline can pass a different date.
today := day if {
	[_, _, day] := time.date(time.parse_rfc3339_ns(concat("", [data.context.date, "T00:00:00Z"])))
} else := day if {
	[_, _, day] := time.date(time.now_ns())
}

limit(what, otherwise) := n if {
	n := data.limits[what]
} else := otherwise

name(e) := concat(" ", [object.get(e, "subject", ""), concat("", ["(", e.address, ")"])])
