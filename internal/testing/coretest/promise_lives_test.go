package coretest

// lives are walks that announce every topic, so that a few seeds are sufficient in addition.
func lives() map[string][]promiseStep {
	step := func(edits ...act) promiseStep { return promiseStep{edits: edits} }
	const noPolicy, protected, suspend, abandon, deprovision = 0, 1, 2, 3, 4 // of promisePolicies
	const basic, huge = 0, 2                                                 // of the packages
	const docs, extra = 0, 2                                                 // of the add-ons
	declare := func(policy int) act { return act{"declare label", 0, 0, policy} }
	return map[string][]promiseStep{
		"a label is suspended when it is dropped":     {step(declare(suspend)), step(act{kind: "drop label"})},
		"a label is abandoned when it is dropped":     {step(declare(abandon)), step(act{kind: "drop label"})},
		"a label is deprovisioned when it is dropped": {step(declare(deprovision)), step(act{kind: "drop label"})},
		"a suspension comes and is managed no longer": {
			step(declare(noPolicy), act{"suspended", 0, 2, 0}),
			step(act{"suspended", 0, 1, 1}),
			step(act{"suspended", 0, 0, 0}),
			step(act{"suspended", 0, 2, 0}),
		},
		"protections are lowered": { // of the assignment and the member from PREVENT to REMOVE
			step(declare(protected), act{"assign", 0, basic, 0}, act{"assignment policy", 0, 3, 0}, act{"add member", 0, 0, 0}, act{"member policy", 0, 0, 3}),
			step(act{"policy", 0, deprovision, 0}, act{"assignment policy", 0, 1, 0}, act{"member policy", 0, 0, 1}),
		},
		"branding and verification come and go": {
			{edits: []act{declare(noPolicy), {"brand", 0, 1, 0}, {"verify", 0, 0, 0}}, before: []act{{kind: "customer: DNS"}}},
			{edits: []act{{"verify", 0, 0, 0}}, before: []act{{"customer: DNS", 0, 0, 0}}},
			step(act{"brand", 0, 0, 0}, act{"verify", 0, 1, 0}),
		},
		"an assignment changes until it goes": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}, act{"add-on", 0, docs, 2}),
			step(act{"add-on", 0, docs, 3}, act{"add-on", 0, extra, 1}, act{"consent", 0, 3, 1}),
			step(act{"assign", 0, huge, 0}, act{"add-on", 0, extra, 0}),
			step(act{"manage add-ons", 0, 1, 0}),
			step(act{kind: "drop assignment"}),
		},
		"an assignment and a member are kept when they are dropped": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}, act{"assignment policy", 0, 3, 0}, act{"add member", 0, 0, 0}, act{"member policy", 0, 0, 3}),
			step(act{"assignment policy", 0, 2, 0}, act{"member policy", 0, 0, 2}),
			step(act{kind: "drop assignment"}, act{"drop member", 0, 0, 0}),
			step(act{"assign", 0, basic, 0}, act{"add member", 0, 0, 0}),
		},
		"what is renamed without a moved block stays": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}, act{"add member", 0, 0, 0}),
			step(act{"rename assignment", 0, 0, 0}),
			step(act{"rename member's block", 0, 0, 0}),
			step(act{"rename assignment", 0, 0, 1}, act{"rename member's block", 0, 0, 1}),
		},
		"a create that is killed or rejected half-way goes on": {
			{edits: []act{declare(noPolicy), {"assign", 0, basic, 0}, {"add-on", 0, docs, 2}}, between: []act{{killKind, 1, 0, 0}}},
			{between: []act{{refuseKind, 1, 1, 0}}},
			step(act{"add member", 0, 0, 0}, act{"add member", 0, 1, 0}),
		},
		"a member whose address was changed is removed": {
			step(declare(noPolicy), act{"add member", 0, 0, 0}),
			{edits: []act{{"drop member", 0, 0, 0}}, before: []act{{"console: change address", 0, 0, 0}}},
		},
		"two states have one assignment": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}, act{"add-on", 0, docs, 2}),
			{edits: []act{{"assign", 0, basic, 0}}, other: true},
			{edits: []act{{"drop assignment", 0, 0, 0}}, other: true},
		},
		"what one state has is adopted by another, and removed before its apply": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}, act{"add member", 0, 0, 0}),
			{edits: []act{{"assign", 0, basic, 0}}, between: []act{{"console: remove package", 0, 0, 0}}, other: true},
			{edits: []act{{"add member", 0, 0, 0}}, between: []act{{"console: remove person", 0, 0, 0}}, other: true},
		},
		// Found by long runs: each one announced too little, or ended in a final plan that differed.
		"an assignment whose label is known after apply is replaced": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}),
			{edits: []act{{"late assignment", 0, 0, 0}}, replace: []int{0}},
		},
		"an assignment whose package has gone is replaced": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}),
			{before: []act{{kind: "console: remove package"}}, replace: []int{0}, options: planOptions{noRefresh: true}},
		},
		"a package known after apply stays the same": {
			step(declare(noPolicy), act{"assign", 0, basic, 0}, act{"consent", 0, 0, 1}),
			{edits: []act{{"late assignment", 0, 1, 0}}, before: []act{{"console: attach", 0, docs, 2}}},
		},
		"everything is destroyed, built-in resources too": {
			step(declare(deprovision), act{"assign", 0, basic, 0}, act{"late assignment", 0, 0, 0}),
			{options: planOptions{destroy: true}},
		},
		"members come, change and go": {
			step(declare(noPolicy), act{"add member", 0, 0, 0}, act{"add member", 0, 1, 0}),
			step(act{"exchange member", 0, 0, 1}),
			step(act{"late member", 0, 1, 0}),
			step(act{"drop member", 0, 0, 0}),
		},
		"a set of members comes, changes and goes": {
			step(act{"declare label", 1, 0, noPolicy}, act{"set of members", 0, 0, 0}, act{"add member", 1, 0, 0}, act{"add member", 1, 1, 0}, act{"owner in set", 0, 0, 0}),
			step(act{"drop member", 1, 0, 0}),
			step(act{"exchange member", 1, 1, 1}, act{"late member", 1, 1, 0}),
			{edits: []act{{"owner in set", 0, 1, 0}}, before: []act{{"console: add person", 0, 2, 0}}},
			step(act{"late set", 0, 0, 0}, act{"add member", 1, 0, 0}),
			step(act{"drop set", 0, 0, 0}),
			step(act{"set of members", 0, 0, 0}, act{"drop member", 1, 0, 0}),
			step(act{"add member", 1, 2, 0}),
		},
		"members are created before others go": {
			step(declare(noPolicy), act{"add member", 0, 0, 0}, act{"add member", 0, 1, 0}, act{"create members first", 0, 0, 1}),
			step(act{"exchange member", 0, 0, 1}, act{"read the label late", 0, 1, suspend}),
			step(act{"exchange member", 0, 0, 2}),
			step(act{"late member", 0, 0, 0}, act{"exchange member", 0, 0, 0}),
			step(act{"drop member", 0, 0, 0}),
		},
		"a set whose label is read late": {
			step(act{"declare label", 1, 0, noPolicy}, act{"set of members", 0, 0, 0}, act{"add member", 1, 0, 0}, act{"create members first", 1, 0, 0}, act{"read the label late", 1, 1, suspend}),
			step(act{"read the label late", 1, 1, abandon}),
			step(act{"add member", 1, 1, 0}),
		},
		"the second addresses of a portal go": {
			step(declare(protected), act{"assign", 0, basic, 0}, act{"add member", 0, 0, 0}, act{"assignment policy", 0, 3, 0}, act{"member policy", 0, 0, 3}),
			step(act{"second label", 0, 0, deprovision}, act{"second assignment", 0, 1, 1}, act{"second member", 0, 0, 1}),
			step(act{"second label", 0, 0, 1}),
			step(act{"second assignment", 0, 0, 1}),
			step(act{"second member", 0, 0, 1}),
			step(act{"second label", 0, 0, 0}, act{"second assignment", 0, 0, 0}, act{"second member", 0, 0, 0}),
		},
		"the first address of a package and of a branding goes": {
			step(declare(noPolicy), act{"brand", 0, 1, 0}, act{"declare item", 2, 0, 0}),
			step(act{"second branding", 0, 0, 0}, act{"second item", 2, 0, 3}),
			step(act{"drop item", 2, 0, 0}, act{"brand", 0, 0, 0}),
		},
		"a member is beside a set": {
			step(act{"declare label", 1, 0, noPolicy}, act{"set of members", 0, 0, 0}, act{"member beside set", 0, 0, 0}, act{"add member", 1, 1, 0}),
			step(act{"drop member", 1, 0, 0}),
			step(act{"member beside set", 0, 0, 1}),
			step(act{"second set", 0, 3, 0}),
			step(act{"forget member", 1, 0, 0}),
		},
		"catalog items are deactivated": {
			step(act{"declare item", 2, 0, 0}, act{"declare item", 6, 0, 0}),
			step(act{"change item", 2, 2, 0}, act{"drop item", 6, 0, 0}),
			step(act{"drop item", 2, 0, 0}),
		},
		"documents are sent, signed, minted and left": {
			step(declare(noPolicy), act{"document", 1, 1, 1}),
			step(act{"sign or mint", 1, 1, 0}),
			step(act{"drop document", 1, 0, 0}, act{"sign or mint", 1, 0, 1}),
		},
	}
}
