package provider_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/color"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-log/tfsdklogtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/conformance"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Limits for the cost of a hostile service.
const (
	hostileHeap = 1 << 30          // bytes, with garbage and the tests that run beside it
	hostileTime = 30 * time.Second // for one operation
	slowRequest = "150ms"          // request_timeout where a call takes all of it
)

// hostileOf are the configurations of a type, where @ is replaced by the set.
func hostileOf(typeName string) providertest.Hostile {
	c, _ := conformance.Of(typeName)
	return c.Hostile
}

// hostileReads are the configurations of data sources, lists, actions and ephemeral resources.
const hostileReads = `
	reseller_private_label          | {"domain":"sign.acme.example"}
	reseller_private_labels         | {}
	reseller_dashboard              | {}
	reseller_package                | {"code":"HOSTED"}
	reseller_packages               | {}
	reseller_addon                  | {"code":"ADDb"}
	reseller_addons                 | {}
	reseller_usage                  | {}
	reseller_quota                  | {}
	reseller_points                 | {}
	reseller_points_ledger          | {"private_label_id":"$label"}
	reseller_members                | {"private_label_id":"$label"}
	reseller_templates              | {"private_label_id":"$label"}
	reseller_people                 | {"query":"a"}
	reseller_api_keys               | {}
	reseller_document               | {"doc_id":"$docb"}
	reseller_sent_documents         | {"domain":"sign.acme.example"}
	reseller_signatures             | {}
	list reseller_private_label     | {}
	list reseller_package           | {}
	list reseller_addon             | {}
	list reseller_assignment        | {}
	list reseller_member            | {"private_label_id":"$label"}
	list reseller_members           | {}
	action reseller_resend_invite   | {"private_label_id":"$label","user_id":"$owner"}
	action reseller_attach_domain   | {"private_label_id":"$label"}
	ephemeral reseller_access_token | {}
`

// With a broken or malicious service: for any response to any operation, nothing panics, no secret and no control
// character is shown, what was created is in state or reported, and time and memory are bounded.
func TestHostileService(t *testing.T) {
	t.Parallel()
	var heap, struck, tried atomic.Int64
	honest := newHonestWorld(t)
	t.Run("rows", func(t *testing.T) {
		for name, row := range hostileRows(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := honest.turned(t, name, row)
				w.heap, w.tried = &heap, &tried
				if row.isSlow {
					w.fewOperations()
				} else {
					w.everyOperation()
				}
				assert.NotZero(t, w.service.struck.Load(), "no hostile answer was given")
				struck.Add(w.service.struck.Load())
			})
		}
	})
	assert.LessOrEqual(t, heap.Load(), int64(hostileHeap), "bytes of memory in use")
	t.Logf("%d operations met %d hostile answers, with %d MB of memory in use at the most", tried.Load(), struck.Load(), heap.Load()>>20)
}

// hostileWorld is one server, a provider that uses it, and the objects from before the server became hostile.
type hostileWorld struct {
	*testing.T
	name    string
	row     hostileRow
	sim     *simulator.Simulator
	service *hostileService
	server  providertest.ProtocolServer
	schema  *tfprotov6.GetProviderSchemaResponse
	ids     map[string]string
	token   string
	needles []string
	heap    *atomic.Int64
	tried   *atomic.Int64
	matrix  matrix.Matrix
	dir     string
	env     providertest.EnvVars
	planned map[string]hostileObject // of a create, by type and set
	updates map[string]hostileObject // of a change, by type and set
	states  map[string]hostileObject // of what was created, by type and set

	ctx context.Context // of the operation
	log *transporttest.Buffer
}

// hostileObject is an object as a state or a plan has it, with the configuration of a plan.
type hostileObject struct {
	state, config *tfprotov6.DynamicValue
	private       []byte
	identity      *tfprotov6.ResourceIdentityData
}

// Sets of objects: a is created while writes get hostile responses, c while reads do; b and d exist before.
const hostileSets = "abcd"

// hostileStart is when every clock of these tests begins.
var hostileStart = time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)

// newHonestWorld creates the existing objects with an honest service.
func newHonestWorld(t *testing.T) *hostileWorld {
	t.Helper()
	sim, err := simulator.New(simulator.Options{Clock: simulator.NewFrozenClock(hostileStart), Fast: true})
	require.NoError(t, err)
	w := &hostileWorld{
		T: t, sim: sim, dir: t.TempDir(), matrix: matrix.Of(t), ids: map[string]string{},
		planned: map[string]hostileObject{}, updates: map[string]hostileObject{}, states: map[string]hostileObject{},
	}
	w.token = (&providertest.TestEnv{T: t, Sim: sim}).Exchange()
	key := sim.APIKey()
	for _, secret := range []string{key[strings.LastIndex(key, "_")+1:], w.token, sim.SigningAPIKey(), "73915082"} {
		w.needles = append(w.needles, secret[:min(len(secret), 14)])
		for before := range min(3, len(secret)-14) { // as a part of longer base64
			coded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + secret))
			w.needles = append(w.needles, coded[4:16])
		}
	}
	w.serve()
	w.populate()
	w.prepare()
	return w
}

// turned is a copy of the test environment whose service responds as a row says.
func (w *hostileWorld) turned(t *testing.T, name string, row hostileRow) *hostileWorld {
	t.Helper()
	sim, err := w.sim.Copy(simulator.NewFrozenClock(hostileStart))
	require.NoError(t, err)
	world := &hostileWorld{
		T: t, name: name, row: row, sim: sim, dir: t.TempDir(), matrix: w.matrix,
		schema: w.schema, ids: w.ids, planned: w.planned, updates: w.updates, states: w.states, token: w.token, needles: w.needles,
	}
	world.serve()
	return world
}

// serve starts the server and a provider that uses it.
func (w *hostileWorld) serve() {
	w.Helper()
	w.service = newHostileService(w.T, w.sim, w.row.answer)
	server, ok := provider.NewServer("test", provider.Options{
		Transport: transport.NewPooledTransport(), Clock: simulator.NewFrozenClock(hostileStart), Getenv: w.env.Get,
	})().(providertest.ProtocolServer)
	require.True(w, ok, "the server lacks actions or list resources")
	w.server = server
	if w.schema == nil {
		w.ctx = w.Context()
		w.schema = ask(w, server.GetProviderSchema, &tfprotov6.GetProviderSchemaRequest{})
	}
}

// ask sends a request of the protocol.
func ask[Q, R any](w *hostileWorld, request func(context.Context, *Q) (*R, error), q *Q) *R {
	w.Helper()
	r, err := request(w.ctx, q)
	require.NoError(w, err)
	return r
}

// populate creates what the configurations refer to.
func (w *hostileWorld) populate() {
	w.Helper()
	id := func(id string, err error) string {
		require.NoError(w, err)
		return id
	}
	file := func(name string, content []byte) string {
		path := filepath.Join(w.dir, name)
		return id(path, os.WriteFile(path, content, 0o600))
	}
	w.ids["$label"] = id(w.sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example"))
	id("", w.sim.CorrectDNS(providertest.AcmeHost))
	for _, set := range hostileSets {
		w.ids["$free"+string(set)] = id(w.sim.AddConsoleLabel("free-"+string(set)+".hostile.example", "eve@free.example"))
	}
	id(w.sim.AddTemplateInConsole(providertest.AcmeHost, "Terms", "terms", true))
	w.ids["$package"] = id(w.sim.AddPackage("HOSTED", map[string]float64{"documents": 10, "seats": 2}, true))
	w.ids["$other"] = id(w.sim.AddPackage("OTHER", map[string]float64{"documents": 20, "seats": 3}, true))
	w.ids["$owner"] = providertest.Find(w.T, w.sim.Labels(), func(l simulator.LabelView) bool { return l.Host == providertest.AcmeHost }).People[0].ID
	w.ids["$signature"] = w.sim.Signatures(w.sim.SigningUserEmail())[0]
	w.ids["$pdf"], w.ids["$logo"] = file("terms.pdf", providertest.OnePage("Terms")), file("logo.png", providertest.Drawn(w.T, 8, 8, color.Black))
}

// configure starts a new session, so that nothing of the previous operation is cached. With a key, the token comes from
// the server.
func (w *hostileWorld) configure(withKey bool) {
	w.Helper()
	ctx, log := transporttest.Logged(w)
	ctx, cancel := context.WithTimeout(tfsdklogtest.RootLogger(ctx, log), hostileTime)
	w.Cleanup(cancel)
	w.ctx, w.log = ctx, log
	w.sim.Clock().Advance(time.Second) // the windows of limits
	config := map[string]any{
		"base_url": w.service.url, "upload_url": w.service.url + simulator.UploadPrefix,
		"token_cache_dir": w.dir, "max_wait": "1m", "max_retries": 1, "request_timeout": "10s",
		"signing": map[string]any{"url": w.service.url, "user_api_key": w.sim.SigningAPIKey()},
	}
	if w.row.isSlow {
		config["request_timeout"] = slowRequest
	}
	if withKey {
		config["api_key"], config["token_cache"] = w.sim.APIKey(), "memory"
	} else {
		config["access_token"], config["slug"] = w.token, w.sim.Slug()
	}
	require.Empty(w, ask(w, w.server.ConfigureProvider, &tfprotov6.ConfigureProviderRequest{Config: w.value(w.schema.Provider, config)}).Diagnostics)
}

// filled is a configuration of a set.
func (w *hostileWorld) filled(text, set string) (out map[string]any) {
	w.Helper()
	text = strings.NewReplacer("ada@acme", "ada@acme", "bob@acme", "bob@acme", "@@", "@"+set, "@", set).Replace(text)
	for name, id := range w.ids {
		text = strings.ReplaceAll(text, name, id)
	}
	require.NoError(w, json.Unmarshal([]byte(text), &out), text)
	return out
}

// value is a value of a schema's type, with null for what is not given.
func (w *hostileWorld) value(schema *tfprotov6.Schema, given map[string]any) *tfprotov6.DynamicValue {
	w.Helper()
	text, err := json.Marshal(given)
	require.NoError(w, err)
	return providertest.Dynamic(w.in(schema, &tfprotov6.DynamicValue{JSON: text}))
}

func (w *hostileWorld) in(schema *tfprotov6.Schema, encoded *tfprotov6.DynamicValue) tftypes.Value {
	w.Helper()
	value, err := encoded.Unmarshal(schema.ValueType())
	require.NoError(w, err)
	return value
}

// outcome of one operation.
type outcome struct {
	told  providertest.Diagnostics
	texts []string                // other texts that are shown
	state *tfprotov6.DynamicValue // of an apply
}

func outcomeOf(diags []*tfprotov6.Diagnostic, state *tfprotov6.DynamicValue) outcome {
	return outcome{told: providertest.FromProtocol("", diags), state: state}
}

// plan plans a change of an object to a configuration; with nil, to none.
func (w *hostileWorld) plan(name string, was hostileObject, config map[string]any) (hostileObject, outcome) {
	w.Helper()
	schema := w.schema.ResourceSchemas[name]
	null := w.value(schema, nil)
	if was.state == nil {
		was.state = null
	}
	req := &tfprotov6.PlanResourceChangeRequest{TypeName: name, PriorState: was.state, PriorPrivate: was.private, PriorIdentity: was.identity, ProposedNewState: null, Config: null}
	if config != nil {
		req.Config = w.value(schema, config)
		req.ProposedNewState = providertest.Dynamic(providertest.Proposed(schema, w.in(schema, was.state), w.in(schema, req.Config)))
	}
	resp := ask(w, w.server.PlanResourceChange, req)
	return hostileObject{resp.PlannedState, req.Config, resp.PlannedPrivate, resp.PlannedIdentity}, outcomeOf(resp.Diagnostics, nil)
}

func (w *hostileWorld) apply(name string, was, planned hostileObject) (hostileObject, outcome) {
	w.Helper()
	null := w.value(w.schema.ResourceSchemas[name], nil)
	for _, value := range []**tfprotov6.DynamicValue{&was.state, &planned.state, &planned.config} {
		if *value == nil {
			*value = null
		}
	}
	resp := ask(w, w.server.ApplyResourceChange, &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: was.state, PlannedState: planned.state, PlannedPrivate: planned.private, PlannedIdentity: planned.identity, Config: planned.config,
	})
	return hostileObject{state: resp.NewState, private: resp.Private, identity: resp.NewIdentity}, outcomeOf(resp.Diagnostics, resp.NewState)
}

func (w *hostileWorld) planCreate(name, set string) (hostileObject, outcome) {
	return w.plan(name, hostileObject{}, w.filled(hostileOf(name).Config, set))
}

func (w *hostileWorld) planUpdate(name, set string) (hostileObject, outcome) {
	config := w.filled(hostileOf(name).Config, set)
	if change := hostileOf(name).Change; change != "" {
		maps.Copy(config, w.filled(change, set))
	}
	return w.plan(name, w.states[name+set], config)
}

// prepare plans every create, and creates the existing objects, all with an honest service.
func (w *hostileWorld) prepare() {
	w.Helper()
	honestly := func(what string, act func() (hostileObject, outcome)) hostileObject {
		w.configure(false)
		object, out := act()
		require.False(w, providertest.AnyErrors(out.told), "%s, with an honest service: %v", what, out.told)
		return object
	}
	for _, name := range w.typesInOrder() {
		if name == "reseller_document_signing" {
			for i, doc := range w.sim.Documents() { // each is signed as one that exists, and as one that is created
				for _, set := range []string{"ba", "dc"}[i] {
					w.ids["$doc"+string(set)], w.ids["$annotation"+string(set)] = doc.ID, doc.Signers[0].Annotations[0].ID
				}
			}
		}
		for set := range strings.SplitSeq(hostileSets, "") {
			w.planned[name+set] = honestly(name, func() (hostileObject, outcome) { return w.planCreate(name, set) })
		}
		for _, set := range []string{"b", "d"} {
			w.states[name+set] = honestly(name, func() (hostileObject, outcome) { return w.apply(name, hostileObject{}, w.planned[name+set]) })
			w.updates[name+set] = honestly("change "+name, func() (hostileObject, outcome) { return w.planUpdate(name, set) })
		}
	}
}

// operations are one operation for each type that has it.
type operations struct {
	name  string
	types []string
	run   func(typeName string) outcome
}

// everyOperation tries every operation of the provider: with every response hostile, with those to writes only, and
// with those to reads only. The matrix draws the type that each of them meets.
func (w *hostileWorld) everyOperation() {
	w.Helper()
	w.service.strike(func(*hostileCall) bool { return true })
	w.reads()
	w.exchange()
	w.service.strike((*hostileCall).writes)
	w.changes("a", "b")
	w.service.strike(func(c *hostileCall) bool { return !c.writes() })
	w.changes("c", "d")
}

// drawn tries operations with the types that the matrix draws for this row.
func (w *hostileWorld) drawn(set string, all ...operations) {
	w.Helper()
	for _, each := range all {
		for _, typeName := range matrix.Cells(w.matrix, each.types, w.name, each.name, set) {
			w.try(each.name+" "+typeName, func() outcome { return each.run(typeName) })
		}
	}
}

var slowRows sync.Mutex

// fewOperations is for rows whose calls are slow.
func (w *hostileWorld) fewOperations() {
	w.Helper()
	slowRows.Lock() // one at a time, because its cost is measured
	defer slowRows.Unlock()
	runtime.GC()
	w.service.strike(func(*hostileCall) bool { return true })
	w.try("data reseller_private_labels", func() outcome { return w.readData("reseller_private_labels") })
	w.try("create reseller_package", func() outcome { return w.create("reseller_package", "a") })
	w.exchange()
	w.service.strike((*hostileCall).writes)
	w.try("create reseller_private_label", func() outcome { return w.create("reseller_private_label", "c") })
}

// typesInOrder has documents before the resources that sign them.
func (w *hostileWorld) typesInOrder() []string {
	w.Helper()
	names := slices.Sorted(maps.Keys(w.schema.ResourceSchemas))
	for _, name := range names {
		require.NotEmpty(w, hostileOf(name).Config, "%s has no hostile case", name)
	}
	return names
}

// try runs one operation in a new session and checks its outcome.
func (w *hostileWorld) try(name string, run func() outcome) {
	w.Helper()
	w.tried.Add(1)
	w.configure(strings.HasSuffix(name, "with the key"))
	began := time.Now()
	w.check(name, run())
	assert.LessOrEqual(w, time.Since(began), hostileTime, "%s took", name)
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(used)
	for now := int64(used[0].Value.Uint64()); ; {
		most := w.heap.Load()
		if now <= most || w.heap.CompareAndSwap(most, now) {
			return
		}
	}
}

// reads tries the reads of every type. Any of them may be an error.
func (w *hostileWorld) reads() {
	w.Helper()
	types := w.typesInOrder()
	w.drawn("b",
		operations{"data", slices.Sorted(maps.Keys(w.schema.DataSourceSchemas)), w.readData},
		operations{"read", types, func(name string) outcome { return w.read(name, w.states[name+"b"]) }},
		operations{"plan to create", types, func(name string) outcome { _, out := w.planCreate(name, "a"); return out }},
		operations{"plan to change", types, func(name string) outcome { _, out := w.planUpdate(name, "b"); return out }},
		operations{"plan to destroy", types, func(name string) outcome { _, out := w.plan(name, w.states[name+"b"], nil); return out }},
		operations{"import", types, w.importOne},
		operations{"list", slices.Sorted(maps.Keys(w.schema.ListResourceSchemas)), w.list},
		operations{"open", slices.Sorted(maps.Keys(w.schema.EphemeralResourceSchemas)), w.open},
	)
}

// exchange tries the calls that get a token and a slug first.
func (w *hostileWorld) exchange() {
	w.Helper()
	w.try("data reseller_dashboard with the key", func() outcome { return w.readData("reseller_dashboard") })
	w.try("open reseller_access_token with the key", func() outcome { return w.open("reseller_access_token") })
	w.try("create reseller_package with the key", func() outcome { return w.create("reseller_package", "a") })
}

// changes tries for every type a create, and a change and a destroy of an existing object.
func (w *hostileWorld) changes(createdName, there string) {
	w.Helper()
	types := w.typesInOrder()
	reversed := slices.Clone(types) // objects that others need are destroyed last
	slices.Reverse(reversed)
	w.drawn(there,
		operations{"create", types, func(name string) outcome { return w.createTold(name, createdName) }},
		operations{"change", slices.DeleteFunc(slices.Clone(types), func(name string) bool { return hostileOf(name).Change == "" }), func(name string) outcome {
			object, out := w.apply(name, w.states[name+there], w.updates[name+there])
			assert.False(w, w.in(w.schema.ResourceSchemas[name], object.state).IsNull(), "change %s: the state is null", name)
			return out
		}},
		operations{"action", slices.Sorted(maps.Keys(w.schema.ActionSchemas)), w.invoke},
		operations{"destroy", reversed, func(name string) outcome {
			was := w.states[name+there]
			_, out := w.apply(name, was, hostileObject{private: was.private})
			return out
		}},
	)
}

// books count what the simulator has.
func (w *hostileWorld) books() int {
	n := len(w.sim.Documents()) + len(w.sim.Minted()) + len(w.sim.Packages()) + len(w.sim.Addons())
	for _, l := range w.sim.Labels() {
		n += 1 + l.Members
	}
	return n
}

func (w *hostileWorld) create(name, set string) outcome {
	_, out := w.apply(name, hostileObject{}, w.planned[name+set])
	return out
}

// createTold asserts that what was created is in state, or that an error says that it may exist.
func (w *hostileWorld) createTold(name, set string) outcome {
	w.Helper()
	before := w.books()
	out := w.create(name, set)
	if w.books() > before && !providertest.AnyErrors(out.told) {
		require.NotNil(w, out.state, "create %s: it was made, there is no state, and no error", name)
		assert.False(w, w.in(w.schema.ResourceSchemas[name], out.state).IsNull(), "create %s: it was made, the state is null, and there is no error", name)
	}
	return out
}

// given is the configuration of a data source, list, action or ephemeral resource.
func (w *hostileWorld) given(schema *tfprotov6.Schema, name string) *tfprotov6.DynamicValue {
	w.Helper()
	row := providertest.Find(w.T, texttable.Rows(hostileReads), func(row []string) bool { return row[0] == name })
	return w.value(schema, w.filled(row[1], "b"))
}

func (w *hostileWorld) readData(name string) outcome {
	w.Helper()
	resp := ask(w, w.server.ReadDataSource, &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: w.given(w.schema.DataSourceSchemas[name], name)})
	return outcomeOf(resp.Diagnostics, resp.State)
}

func (w *hostileWorld) read(name string, was hostileObject) outcome {
	w.Helper()
	resp := ask(w, w.server.ReadResource, &tfprotov6.ReadResourceRequest{TypeName: name, CurrentState: was.state, Private: was.private, CurrentIdentity: was.identity})
	return outcomeOf(resp.Diagnostics, resp.NewState)
}

func (w *hostileWorld) importOne(name string) outcome {
	w.Helper()
	resp := ask(w, w.server.ImportResourceState, &tfprotov6.ImportResourceStateRequest{TypeName: name, ID: hostileOf(name).Import})
	out := outcomeOf(resp.Diagnostics, nil)
	for _, object := range resp.ImportedResources {
		read := w.read(name, hostileObject{state: object.State, private: object.Private, identity: object.Identity})
		out = outcome{told: append(out.told, read.told...), state: read.state}
	}
	return out
}

func (w *hostileWorld) list(name string) (out outcome) {
	w.Helper()
	stream := ask(w, w.server.ListResource, &tfprotov6.ListResourceRequest{TypeName: name, Config: w.given(w.schema.ListResourceSchemas[name], "list "+name), IncludeResource: true, Limit: 20})
	for result := range stream.Results {
		out.told, out.texts = append(out.told, providertest.FromProtocol("", result.Diagnostics)...), append(out.texts, result.DisplayName)
	}
	return out
}

func (w *hostileWorld) open(name string) outcome {
	w.Helper()
	config := w.given(w.schema.EphemeralResourceSchemas[name], "ephemeral "+name)
	return outcomeOf(ask(w, w.server.OpenEphemeralResource, &tfprotov6.OpenEphemeralResourceRequest{TypeName: name, Config: config}).Diagnostics, nil) // its result is the token
}

func (w *hostileWorld) invoke(name string) (out outcome) {
	w.Helper()
	config := w.given(w.schema.ActionSchemas[name].Schema, "action "+name)
	for event := range ask(w, w.server.InvokeAction, &tfprotov6.InvokeActionRequest{ActionType: name, Config: config}).Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			out.texts = append(out.texts, e.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			out.told = append(out.told, providertest.FromProtocol("", e.Diagnostics)...)
		}
	}
	return out
}

// check examines the diagnostics of an operation, its log and its state.
func (w *hostileWorld) check(name string, out outcome) {
	w.Helper()
	log := w.log.String()
	texts := slices.Concat(out.texts, []string{log})
	for _, d := range out.told {
		texts = append(texts, d.Summary, d.Detail)
		assert.NotEqual(w, diagnostic.SummaryFault, d.Summary, "%s: %s", name, d.Detail)
		assert.LessOrEqual(w, utf8.RuneCountInString(d.Summary), 300, "%s: characters of a summary", name)
		assert.LessOrEqual(w, utf8.RuneCountInString(d.Detail), 2000, "%s: characters of a detail", name)
	}
	for _, text := range texts {
		bad := strings.IndexFunc(text, func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
		})
		if bad >= 0 || !utf8.ValidString(text) {
			w.Errorf("%s: %q acts on a terminal: %.300q", name, text[max(0, bad):min(len(text), max(0, bad)+4)], text)
		}
		for _, needle := range w.needles {
			assert.NotContains(w, text, needle, "%s: a secret is shown", name)
		}
	}
	assert.False(w, out.state != nil && bytes.Contains(out.state.MsgPack, []byte(w.token)), "%s: the token is in state", name)
	assert.LessOrEqual(w, len(log), 1<<20, "%s: bytes of log", name)
}

// net/http prints what a server sends after a response unchanged, to the output that the CLI reads as the provider's log.
func TestHostile_StrayBytes(t *testing.T) {
	t.Parallel()
	w := providertest.NewTestEnv(t)
	service := newHostileService(t, w.Sim, func(conn net.Conn, c *hostileCall) {
		_, err := io.WriteString(conn, c.in("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: LENGTH\r\n\r\nBODYSECRETS"))
		assert.NoError(t, err)
		_, _ = io.Copy(io.Discard, conn)
	})
	service.strike(func(*hostileCall) bool { return true })
	c := providertest.InstalledCLI(t, "RESELLER_BASE_URL="+service.url, "RESELLER_API_KEY="+w.APIKey(), "RESELLER_TOKEN_CACHE=memory", "TF_LOG=TRACE", "GODEBUG=http2debug=2")
	c.Config("data \"reseller_private_labels\" \"all\" {}\n")
	r := c.Plan()
	assert.NotEqual(t, 1, r.Code, r.Out)
	for _, secret := range append(w.Sim.Tokens(), w.APIKey()[strings.LastIndex(w.APIKey(), "_"):]) {
		assert.NotContains(t, r.Out, secret, "the log shows")
	}
	assert.GreaterOrEqual(t, service.struck.Load(), int64(2))
}
