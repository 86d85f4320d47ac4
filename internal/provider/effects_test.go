package provider

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// effectCase is one change of one resource and what it announces: "summary: kind subject, kind subject".
type effectCase struct {
	name string
	got  effect.Notices
	want []string
}

const (
	testHost  = "sign.acme.example"
	testLabel = "0123456789abcdef0123456789abcdef"
	later     = effect.KnownAfterApply
)

func unknownText[K textKind]() textValue[K] { return textValue[K]{types.StringUnknown()} }

// labelOf is an active private label; change adapts it.
func labelOf(change func(*privateLabelModel)) *privateLabelModel {
	m := &privateLabelModel{
		Domain: newText[hostKind](testHost), ID: types.StringValue(testLabel), DeletionPolicy: types.StringValue(policyPrevent),
		Owner: ownerModel{UserID: types.StringUnknown(), Email: newText[emailKind]("ada@acme.example"), FirstName: types.StringValue("Ada"), LastName: types.StringValue("L")}.object(),
	}
	m.Status = types.StringValue(client.StatusActive)
	if change != nil {
		change(m)
	}
	return m
}

func suspend(m *privateLabelModel) {
	m.Suspended = types.BoolValue(true)
	m.Status, m.SuspendedBy = types.StringValue(client.StatusSuspended), types.StringValue("Reseller")
}

func policy(p string) func(*privateLabelModel) {
	return func(m *privateLabelModel) { m.DeletionPolicy = types.StringValue(p) }
}

func privateLabelCases(ctx context.Context) []effectCase {
	effects := func(prior, planned *privateLabelModel) effect.Notices {
		return privateLabelEffects(ctx, prior, planned, labelFacts{})
	}
	wants := func(v types.Bool) *privateLabelModel { return labelOf(func(m *privateLabelModel) { m.Suspended = v }) }
	suspended := labelOf(suspend)
	provisioned := "Provisioning is permanent and emails the owner: permanent sign.acme.example, email ada@acme.example"
	const suspending = "Suspending a private label signs out its members: suspended sign.acme.example"
	return []effectCase{
		{"create", effects(nil, labelOf(nil)), []string{provisioned}},
		{
			"create with an unknown host name", effects(nil, labelOf(func(m *privateLabelModel) { m.Domain = unknownText[hostKind]() })),
			[]string{"Provisioning is permanent and emails the owner: permanent " + later + ", email ada@acme.example"},
		},
		{
			"create with an unknown owner", effects(nil, labelOf(func(m *privateLabelModel) { m.Owner = types.ObjectUnknown(ownerAttrs) })),
			[]string{"Provisioning is permanent and emails the owner: permanent sign.acme.example, email " + later},
		},
		{"create suspended", effects(nil, wants(types.BoolValue(true))), []string{provisioned, suspending}},
		{"create active", effects(nil, wants(types.BoolValue(false))), []string{provisioned}},
		{"create perhaps suspended", effects(nil, wants(types.BoolUnknown())), []string{provisioned, suspending}},

		{"no change", effects(labelOf(nil), labelOf(nil)), nil},
		{"suspend", effects(labelOf(nil), wants(types.BoolValue(true))), []string{suspending}},
		{"suspend perhaps", effects(labelOf(nil), wants(types.BoolUnknown())), []string{suspending}},
		{"stays suspended", effects(suspended, suspended), nil},
		{"lift a suspension", effects(suspended, wants(types.BoolValue(false))), nil},
		{"lift a suspension perhaps", effects(suspended, wants(types.BoolUnknown())), nil},
		{"suspended again after it was lifted", effects(labelOf(func(m *privateLabelModel) { m.Suspended = types.BoolValue(false) }), wants(types.BoolValue(true))), []string{suspending}},
		{"suspended is removed while suspended", effects(suspended, wants(types.BoolNull())), []string{"Suspension stays and is no longer managed: forgotten sign.acme.example"}},
		{"suspended is removed while active", effects(wants(types.BoolValue(false)), wants(types.BoolNull())), nil},
		{"never managed", effects(labelOf(func(m *privateLabelModel) { suspend(m); m.Suspended = types.BoolNull() }), wants(types.BoolNull())), nil},

		{"destroy with PREVENT", effects(labelOf(nil), nil), nil},
		{"destroy with SUSPEND", effects(labelOf(policy(policySuspend)), nil), []string{"Private label is suspended and removed from state: suspended sign.acme.example, forgotten sign.acme.example"}},
		{"destroy with SUSPEND while suspended", effects(labelOf(func(m *privateLabelModel) { suspend(m); policy(policySuspend)(m) }), nil), []string{"Private label will only be removed from state: forgotten sign.acme.example"}},
		{"destroy with ABANDON", effects(labelOf(policy(policyAbandon)), nil), []string{"Private label will only be removed from state: forgotten sign.acme.example"}},
		{"destroy with DEPROVISION", effects(labelOf(policy(policyDeprovision)), nil), []string{"Deprovisioning sign.acme.example is permanent: destroyed sign.acme.example"}},
		{"nothing", effects(nil, nil), nil},
	}
}

func itemOf(code itemCode, active types.Bool) *itemModel {
	return &itemModel{Code: code, Name: types.StringValue("Gold"), Active: active}
}

func itemCases() []effectCase {
	gold, on, off := newText[codeKind]("gold"), types.BoolValue(true), types.BoolValue(false)
	effects := func(prior, planned *itemModel) effect.Notices {
		return itemEffects(client.KindPackage, prior, planned, catalogFacts{})
	}
	const created, deactivated = "Package code is permanent: permanent GOLD", "Deactivated code stays reserved: deactivated GOLD"
	return []effectCase{
		{"create a package", effects(nil, itemOf(gold, on)), []string{created}},
		{"create an add-on", itemEffects(client.KindAddon, nil, itemOf(gold, on), catalogFacts{}), []string{"Add-on code is permanent: permanent GOLD"}},
		{"create with an unknown code", effects(nil, itemOf(unknownText[codeKind](), on)), []string{"Package code is permanent: permanent " + later}},
		{"create inactive", effects(nil, itemOf(gold, off)), []string{created, deactivated}},
		{"create perhaps inactive", effects(nil, itemOf(gold, types.BoolUnknown())), []string{created, deactivated}},
		{"rename", effects(itemOf(gold, on), itemOf(gold, on)), nil},
		{"deactivate", effects(itemOf(gold, on), itemOf(gold, off)), []string{deactivated}},
		{"deactivate perhaps", effects(itemOf(gold, on), itemOf(gold, types.BoolUnknown())), []string{deactivated}},
		{"activate", effects(itemOf(gold, off), itemOf(gold, on)), nil},
		{"stays inactive", effects(itemOf(gold, off), itemOf(gold, off)), nil},
		{"destroy", effects(itemOf(gold, on), nil), []string{"Catalog items cannot be deleted: deactivated GOLD, forgotten GOLD"}},
		{"destroy an inactive one", effects(itemOf(gold, off), nil), []string{"Catalog items cannot be deleted: forgotten GOLD"}},
		{"nothing", effects(nil, nil), nil},
	}
}

// memberOf is a member; id is unknown for one that is to be added.
func memberOf(label types.String, address email, id types.String) *memberModel {
	return &memberModel{
		PrivateLabelID: label, Email: address, FirstName: types.StringValue("Bob"), LastName: types.StringValue("Byte"), ID: id,
		Role: types.StringValue(client.RoleMember), CreatedAt: timetypes.NewRFC3339Null(),
	}
}

func memberCases() []effectCase {
	acme, other := types.StringValue(testLabel), types.StringValue(strings.Repeat("f", 32))
	bob, eve := newText[emailKind]("bob@acme.example"), newText[emailKind]("eve@acme.example")
	bobID, eveID := types.StringValue(strings.Repeat("b", 32)), types.StringValue(strings.Repeat("e", 32))
	effects := func(prior, planned *memberModel) effect.Notices { return memberEffects(prior, planned, memberFacts{}) }
	was := memberOf(acme, bob, bobID)
	const (
		removed  = "Removed member is signed out immediately: removed bob@acme.example"
		added    = "Adding a member sends an email: email bob@acme.example"
		addedEve = "Adding a member sends an email: email eve@acme.example"
	)
	renamed := memberOf(acme, bob, bobID)
	renamed.FirstName = types.StringValue("Robert")
	return []effectCase{
		{"add", effects(nil, memberOf(acme, bob, types.StringUnknown())), []string{added}},
		{"add to a new private label", effects(nil, memberOf(types.StringUnknown(), bob, types.StringUnknown())), []string{added}},
		{"add with an unknown address", effects(nil, memberOf(acme, unknownText[emailKind](), types.StringUnknown())), []string{"Adding a member sends an email: email " + later}},
		{"adopt", effects(nil, memberOf(acme, bob, bobID)), nil},
		{"adopt by what the API shows", memberEffects(nil, memberOf(acme, bob, types.StringUnknown()), memberFacts{adopts: true}), nil},
		{"no change", effects(was, was), nil},
		{"another name", effects(was, renamed), nil},
		{"another spelling of the address", effects(was, memberOf(acme, newText[emailKind]("BOB@acme.example"), bobID)), nil},
		{"another address, first half", effects(was, memberOf(acme, eve, bobID)), []string{removed, addedEve}},
		{"another address, whole", effects(was, memberOf(acme, eve, types.StringUnknown())), []string{removed, addedEve}},
		{"another address that is a member already", effects(was, memberOf(acme, eve, eveID)), []string{removed}},
		{"the same by what the API shows", memberEffects(was, memberOf(acme, eve, bobID), memberFacts{adopts: true}), []string{removed}},
		{"another private label", effects(was, memberOf(other, bob, bobID)), []string{removed, added}},
		{"an unknown private label", effects(was, memberOf(types.StringUnknown(), bob, bobID)), []string{"Member must be replaced: removed bob@acme.example, email bob@acme.example"}},
		{"an unknown address", effects(was, memberOf(acme, unknownText[emailKind](), bobID)), []string{"Member must be replaced: removed bob@acme.example, email " + later}},
		{"destroy", effects(was, nil), []string{removed}},
		{"nothing", effects(nil, nil), nil},
	}
}

func brandingCases() []effectCase {
	of := func(host hostName) *brandingModel { return &brandingModel{Domain: host} }
	acme := of(newText[hostKind](testHost))
	const kept = "Branding is only removed from state: forgotten sign.acme.example"
	verified := &domainVerificationModel{Domain: types.StringValue(testHost)}
	return []effectCase{
		{"create", brandingEffects(nil, acme), nil},
		{"update", brandingEffects(acme, of(newText[hostKind]("SIGN.acme.example"))), nil},
		{"another host name", brandingEffects(acme, of(newText[hostKind]("other.acme.example"))), []string{kept}},
		{"an unknown host name", brandingEffects(acme, of(unknownText[hostKind]())), []string{kept}},
		{"destroy", brandingEffects(acme, nil), []string{kept}},
		{"create a verification", verificationEffects(nil, verified), nil},
		{"update a verification", verificationEffects(verified, verified), nil},
		{"destroy a verification", verificationEffects(verified, nil), []string{"Domain verification is only removed from state: forgotten sign.acme.example"}},
	}
}

// signersOf builds signers as a plan holds them.
func signersOf(ctx context.Context, t *testing.T, signers ...signerModel) types.List {
	t.Helper()
	list, diags := types.ListValueFrom(ctx, signerAttributeType(ctx, t), signers)
	if diags.HasError() {
		t.Fatal(diags)
	}
	return list
}

func signerAttributeType(ctx context.Context, t *testing.T) attr.Type {
	t.Helper()
	var shape resource.SchemaResponse
	newDocumentResource().Schema(ctx, resource.SchemaRequest{}, &shape)
	list, ok := shape.Schema.Attributes["signers"].GetType().(basetypes.ListType)
	if !ok {
		t.Fatal("signers are no list")
	}
	return list.ElemType
}

func annotationsOf(ctx context.Context, t *testing.T, verified ...types.Bool) types.List {
	t.Helper()
	signer, ok := signerAttributeType(ctx, t).(attr.TypeWithAttributeTypes)
	if !ok {
		t.Fatal("a signer is no object")
	}
	list, ok := signer.AttributeTypes()["annotations"].(basetypes.ListType)
	if !ok {
		t.Fatal("annotations are no list")
	}
	annotation, ok := list.ElemType.(attr.TypeWithAttributeTypes)
	if !ok {
		t.Fatal("an annotation is no object")
	}
	style, ok := annotation.AttributeTypes()["style"].(attr.TypeWithAttributeTypes)
	if !ok {
		t.Fatal("a style is no object")
	}
	var models []annotationModel
	for _, v := range verified {
		models = append(models, annotationModel{Type: types.StringValue("Signature"), Content: types.StringValue("Signature"), IsVerified: v, Style: types.ObjectNull(style.AttributeTypes())})
	}
	out, diags := types.ListValueFrom(ctx, list.ElemType, models)
	if diags.HasError() {
		t.Fatal(diags)
	}
	return out
}

func documentCases(ctx context.Context, t *testing.T) []effectCase {
	t.Helper()
	signer := func(address email, order int64, verified ...types.Bool) signerModel {
		return signerModel{Email: address, FirstName: types.StringValue("B"), LastName: types.StringValue("B"), SignOrder: types.Int64Value(order), Annotations: annotationsOf(ctx, t, verified...)}
	}
	bob, eve := newText[emailKind]("bob@acme.example"), newText[emailKind]("eve@acme.example")
	open, done := types.BoolValue(false), types.BoolValue(true)
	document := func(signers types.List) *documentModel {
		return &documentModel{Title: types.StringValue("Terms"), OwnerEmail: newText[emailKind]("ada@acme.example"), Signers: signers}
	}
	upload := func(signers types.List) effect.Notices { return documentEffects(ctx, nil, document(signers)) }
	const uploaded, left = "Document upload cannot be undone: permanent Terms", "Signing resources are only removed from state: forgotten "
	untitled := document(signersOf(ctx, t, signer(bob, 1, open)))
	untitled.Title = types.StringUnknown()
	sent := document(signersOf(ctx, t))
	signing := func(id types.String) *documentSigningModel {
		return &documentSigningModel{DocID: id, Annotations: types.MapUnknown(types.StringType)}
	}
	asset := func(name types.String) *mintedDocumentModel {
		return &mintedDocumentModel{AssetName: name, StoreOnIPFS: types.BoolValue(false)}
	}
	const signed = "Signing cannot be undone: permanent %s, email " + later
	return []effectCase{
		{"upload", upload(signersOf(ctx, t, signer(bob, 1, open))), []string{uploaded + ", email bob@acme.example"}},
		{"upload to two", upload(signersOf(ctx, t, signer(bob, 1, open), signer(eve, 2, open, done))), []string{uploaded + ", email bob@acme.example, email eve@acme.example"}},
		{"upload with one who signed", upload(signersOf(ctx, t, signer(bob, 1, done), signer(eve, 1, types.BoolUnknown()))), []string{uploaded + ", email eve@acme.example"}},
		{"upload complete", upload(signersOf(ctx, t, signer(bob, 1, done))), []string{uploaded + ", email ada@acme.example"}},
		{"upload to unknown signers", upload(types.ListUnknown(signerAttributeType(ctx, t))), []string{uploaded + ", email " + later}},
		{"upload to an unknown address", upload(signersOf(ctx, t, signer(unknownText[emailKind](), 1, open))), []string{uploaded + ", email " + later}},
		{"upload an unknown title", documentEffects(ctx, nil, untitled), []string{"Document upload cannot be undone: permanent " + later + ", email bob@acme.example"}},
		{"update a document", documentEffects(ctx, sent, sent), nil},
		{"destroy a document", documentEffects(ctx, sent, nil), []string{left + "Terms"}},
		{"sign", documentSigningEffects(nil, signing(types.StringValue("d42"))), []string{fmt.Sprintf(signed, "d42")}},
		{"sign an unknown document", documentSigningEffects(nil, signing(types.StringUnknown())), []string{fmt.Sprintf(signed, later)}},
		{"update a signing", documentSigningEffects(signing(types.StringValue("d42")), signing(types.StringUnknown())), nil},
		{"destroy a signing", documentSigningEffects(signing(types.StringValue("d42")), nil), []string{left + "d42"}},
		{"mint", mintedDocumentEffects(nil, asset(types.StringValue("Acme"))), []string{"Minting is public and permanent: permanent Acme"}},
		{"mint an unknown name", mintedDocumentEffects(nil, asset(types.StringUnknown())), []string{"Minting is public and permanent: permanent " + later}},
		{"update a minted document", mintedDocumentEffects(asset(types.StringValue("Acme")), asset(types.StringValue("Acme"))), nil},
		{"destroy a minted document", mintedDocumentEffects(asset(types.StringValue("Acme")), nil), []string{left + "Acme"}},
	}
}

func effectCases(t *testing.T) map[string][]effectCase {
	t.Helper()
	return map[string][]effectCase{
		"private label": privateLabelCases(t.Context()), "catalog": itemCases(), "member": memberCases(),
		"branding and verification": brandingCases(), "signing": documentCases(t.Context(), t),
	}
}

func TestEffects(t *testing.T) {
	t.Parallel()
	for kind, cases := range effectCases(t) {
		for _, tc := range cases {
			t.Run(kind+"/"+tc.name, func(t *testing.T) {
				t.Parallel()
				var got []string
				for _, n := range tc.got {
					var rows []string
					for _, e := range n.Effects {
						rows = append(rows, fmt.Sprintf("%s %s", e.Kind, e.Subject))
					}
					got = append(got, n.Topic.Summary+": "+strings.Join(rows, ", "))
				}
				if !slices.Equal(got, tc.want) {
					t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
				}
			})
		}
	}
}

// Every notice announces what its topic is for, names the object and warns once.
func TestEffects_FitTheirTopics(t *testing.T) {
	t.Parallel()
	announced := map[string]map[effect.Kind]bool{}
	for kind, cases := range effectCases(t) {
		for _, tc := range cases {
			if n := len(tc.got.Diagnostics()); n != len(tc.got) {
				t.Errorf("%s/%s: %d warnings of %d notices", kind, tc.name, n, len(tc.got))
			}
			for _, n := range tc.got {
				summary := n.Topic.Summary
				if strings.HasPrefix(summary, "Deprovisioning ") {
					summary = effect.Deprovisioning.Summary
				}
				checkNotice(t, kind+"/"+tc.name, n)
				for _, e := range n.Effects {
					if announced[summary] == nil {
						announced[summary] = map[effect.Kind]bool{}
					}
					announced[summary][e.Kind] = true
				}
			}
		}
	}
	for _, topic := range effect.Topics() {
		if slices.Contains(assignmentTopics, topic.Summary) {
			continue // tested with reseller_assignment
		}
		for _, k := range topic.Kinds {
			if !announced[topic.Summary][k] {
				t.Errorf("no case of %q announces %q", topic.Summary, k)
			}
		}
	}
}

var assignmentTopics = []string{effect.Billing.Summary, effect.ChangingPackage.Summary, effect.ChangingAddons.Summary, effect.Unassigning.Summary, effect.UnmanagingAddons.Summary}

// bannedWords are those of the language guide.
var bannedWords = regexp.MustCompile(`(?i)for ever|burnt|heed|anew|afresh|whoever|somebody|deed|e-mail|colour|catalogue|for good|at once`)

func checkNotice(t *testing.T, name string, n effect.Notice) {
	t.Helper()
	if len(n.Effects) == 0 {
		t.Errorf("%s: %q announces nothing", name, n.Topic.Summary)
	}
	first, _, _ := strings.Cut(n.Detail, ". ")
	named := false
	for _, e := range n.Effects {
		if !n.Topic.Announces(e.Kind) {
			t.Errorf("%s: %q is no topic of %q", name, n.Topic.Summary, e.Kind)
		}
		if e.What == "" || e.Subject == "" {
			t.Errorf("%s: an empty row %+v", name, e)
		}
		named = named || strings.Contains(first, e.Subject) || e.Subject == effect.KnownAfterApply && strings.Contains(n.Detail, "known after apply")
	}
	if !named {
		t.Errorf("%s: the first sentence names nothing: %s", name, n.Detail)
	}
	if word := bannedWords.FindString(n.Topic.Summary + n.Detail); word != "" {
		t.Errorf("%s: %q in %q", name, word, n.Detail)
	}
	if words := len(strings.Fields(n.Detail)); words > 60 {
		t.Errorf("%s: %d words: %s", name, words, n.Detail)
	}
}

// What the API shows goes into the details.
func TestEffects_Facts(t *testing.T) {
	t.Parallel()
	deprovisioned := labelOf(policy(policyDeprovision))
	created := itemOf(newText[codeKind]("gold"), types.BoolValue(true))
	bob := memberOf(types.StringValue(testLabel), newText[emailKind]("bob@acme.example"), types.StringUnknown())
	for want, notices := range map[string]effect.Notices{
		"with its members, their documents and its package, if it has one": privateLabelEffects(t.Context(), deprovisioned, nil, labelFacts{}),
		"with 12 members, their documents and package GOLD":                privateLabelEffects(t.Context(), deprovisioned, nil, labelFacts{known: true, members: 12, pkg: "GOLD"}),
		"with 1 member and their documents; it has no package":             privateLabelEffects(t.Context(), deprovisioned, nil, labelFacts{known: true, members: 1}),
		"after deactivation (at most 96 remain after this apply). Check":   itemEffects(client.KindPackage, nil, created, catalogFacts{known: true, items: 2, planned: 2}),
		"after deactivation. Check":                                        itemEffects(client.KindPackage, nil, created, catalogFacts{}),
		"after deactivation. Check the code":                               itemEffects(client.KindPackage, nil, created, catalogFacts{known: true, items: 99, planned: 2}),
		"branded for sign.acme.example":                                    memberEffects(nil, bob, memberFacts{newHost: testHost}),
		"branded for private label " + testLabel:                           memberEffects(nil, bob, memberFacts{}),
		"bob@acme.example will be removed from sign.acme.example:":         memberEffects(bob, nil, memberFacts{host: testHost}),
	} {
		if len(notices) != 1 || !strings.Contains(notices[0].Detail, want) {
			t.Errorf("got %+v, want %q", notices, want)
		}
	}
}
