package provider_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"maps"
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
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
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

// hostileReads are the configurations of data sources, lists, actions and
// ephemeral resources.
var hostileReads = map[string]string{
	"reseller_private_label": `{"domain":"sign.acme.example"}`, "reseller_private_labels": `{}`, "reseller_dashboard": `{}`,
	"reseller_package": `{"code":"HOSTED"}`, "reseller_packages": `{}`, "reseller_addon": `{"code":"ADDb"}`, "reseller_addons": `{}`,
	"reseller_usage": `{}`, "reseller_quota": `{}`, "reseller_points": `{}`, "reseller_points_ledger": `{"private_label_id":"$label"}`,
	"reseller_members": `{"private_label_id":"$label"}`, "reseller_templates": `{"private_label_id":"$label"}`, "reseller_people": `{"query":"a"}`,
	"reseller_api_keys": `{}`, "reseller_document": `{"doc_id":"$doca"}`, "reseller_sent_documents": `{"domain":"sign.acme.example"}`, "reseller_signatures": `{}`,

	"list reseller_private_label": `{}`, "list reseller_package": `{}`, "list reseller_addon": `{}`, "list reseller_assignment": `{}`, "list reseller_member": `{"private_label_id":"$label"}`, "list reseller_members": `{}`,
	"action reseller_resend_invite": `{"private_label_id":"$label","user_id":"$owner"}`, "action reseller_attach_domain": `{"private_label_id":"$label"}`,
	"ephemeral reseller_access_token": `{}`,
}

// With a broken or malicious service: for any response to any operation, nothing panics, no secret and no control
// character is shown, what was created is in state or reported, and time and memory are bounded.
func TestHostileService(t *testing.T) {
	t.Parallel()
	var heap, struck, tried atomic.Int64
	honest := newHonestWorld(t)
	honest.matrix = matrix.Of(t)
	t.Run("rows", func(t *testing.T) {
		for _, row := range hostileRows() {
			t.Run(row.name, func(t *testing.T) {
				t.Parallel()
				w := honest.turned(t, row)
				w.heap, w.tried = &heap, &tried
				if row.slow {
					w.fewOperations()
				} else {
					w.everyOperation()
				}
				assert.NotEqual(t, 0, w.service.hits(), "no hostile answer was given")
				struck.Add(int64(w.service.hits()))
			})
		}
	})
	most := heap.Load()
	assert.LessOrEqual(t, most, int64(hostileHeap), "%d MB of memory in use", most>>20)
	t.Logf("%d operations met %d hostile answers, with %d MB of memory in use at the most", tried.Load(), struck.Load(), heap.Load()>>20)
}

// hostileWorld is one server, a provider that uses it, and the objects from before the server became hostile.
type hostileWorld struct {
	t       *testing.T
	row     hostileRow
	sim     *simulator.Simulator
	service *hostileService
	server  providertest.ProtocolServer
	schema  *tfprotov6.GetProviderSchemaResponse
	ids     map[string]string
	token   string
	needles []string
	log     hostileLog
	heap    *atomic.Int64
	tried   *atomic.Int64
	matrix  matrix.Matrix
	dir     string
	env     providertest.EnvVars

	planned map[string]*tfprotov6.PlanResourceChangeResponse // of a create, by type and set
	updates map[string]*tfprotov6.PlanResourceChangeResponse // of a change, by type and set
	states  map[string]hostileState                          // of what was created, by type and set
}

type hostileState struct {
	state    *tfprotov6.DynamicValue
	private  []byte
	identity *tfprotov6.ResourceIdentityData
}

// hostileLog is read after each operation.
type hostileLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *hostileLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *hostileLog) drain() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.buf.Reset()
	return l.buf.String()
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
		t: t, sim: sim, dir: t.TempDir(), ids: map[string]string{},
		planned: map[string]*tfprotov6.PlanResourceChangeResponse{}, updates: map[string]*tfprotov6.PlanResourceChangeResponse{},
		states: map[string]hostileState{},
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
	w.prepare(w.typesInOrder())
	return w
}

// turned is a copy of the test environment whose service responds as a row says.
func (w *hostileWorld) turned(t *testing.T, row hostileRow) *hostileWorld {
	t.Helper()
	sim, err := w.sim.Copy(simulator.NewFrozenClock(hostileStart))
	require.NoError(t, err)
	world := &hostileWorld{
		t: t, row: row, sim: sim, dir: t.TempDir(), matrix: w.matrix,
		schema: w.schema, ids: w.ids, planned: w.planned, updates: w.updates, states: w.states, token: w.token, needles: w.needles,
	}
	world.serve()
	return world
}

// serve starts the server and a provider that uses it.
func (w *hostileWorld) serve() {
	w.t.Helper()
	w.service = newHostileService(w.t, w.sim, w.row.answer)
	server, ok := provider.NewServer("test", provider.Options{
		Transport: transport.NewPooledTransport(), Clock: simulator.NewFrozenClock(hostileStart), Getenv: w.env.Get,
	})().(providertest.ProtocolServer)
	require.True(w.t, ok, "the server lacks actions or list resources")
	w.server = server
	if w.schema == nil {
		schema, err := server.GetProviderSchema(w.t.Context(), &tfprotov6.GetProviderSchemaRequest{})
		w.must(err)
		w.schema = schema
	}
}

func (w *hostileWorld) must(err error) {
	w.t.Helper()
	require.NoError(w.t, err)
}

// populate creates what the configurations refer to.
func (w *hostileWorld) populate() {
	w.t.Helper()
	var err error
	w.ids["$label"], err = w.sim.AddConsoleLabel(providertest.AcmeHost, "ada@acme.example")
	w.must(err)
	w.must(w.sim.CorrectDNS(providertest.AcmeHost))
	for _, set := range hostileSets {
		w.ids["$free"+string(set)], err = w.sim.AddConsoleLabel("free-"+string(set)+".hostile.example", "eve@free.example")
		w.must(err)
	}
	_, err = w.sim.AddTemplateInConsole(providertest.AcmeHost, "Terms", "terms", true)
	w.must(err)
	w.ids["$package"], err = w.sim.AddPackage("HOSTED", map[string]float64{"documents": 10, "seats": 2}, true)
	w.must(err)
	w.ids["$other"], err = w.sim.AddPackage("OTHER", map[string]float64{"documents": 20, "seats": 3}, true)
	w.must(err)
	w.ids["$owner"] = strings.Repeat("0", 32)
	w.ids["$signature"] = w.sim.Signatures(w.sim.SigningUserEmail())[0]
	w.ids["$pdf"], w.ids["$logo"] = filepath.Join(w.dir, "terms.pdf"), filepath.Join(w.dir, "logo.png")
	w.must(os.WriteFile(w.ids["$pdf"], providertest.OnePage("Terms"), 0o600))
	var logo bytes.Buffer
	w.must(png.Encode(&logo, image.NewGray(image.Rect(0, 0, 8, 8))))
	w.must(os.WriteFile(w.ids["$logo"], logo.Bytes(), 0o600))
}

// configure starts a new session, so that nothing of the previous operation is cached. With a key, the token comes from
// the server.
func (w *hostileWorld) configure(withKey bool) {
	w.t.Helper()
	w.sim.Clock().Advance(time.Second) // the windows of limits
	timeout := "10s"
	if w.row.slow {
		timeout = slowRequest
	}
	config := map[string]any{
		"base_url": w.service.url, "upload_url": w.service.url + simulator.UploadPrefix,
		"token_cache_dir": w.dir, "max_wait": "1m", "max_retries": 1, "request_timeout": timeout,
		"signing": map[string]any{"url": w.service.url, "user_api_key": w.sim.SigningAPIKey()},
	}
	if withKey {
		config["api_key"], config["token_cache"] = w.sim.APIKey(), "memory"
	} else {
		config["access_token"], config["slug"] = w.token, w.sim.Slug()
	}
	resp, err := w.server.ConfigureProvider(w.t.Context(), &tfprotov6.ConfigureProviderRequest{Config: w.value(w.schema.Provider, config)})
	w.must(err)
	for _, d := range resp.Diagnostics {
		w.t.Fatalf("%s: %s", d.Summary, d.Detail)
	}
}

// filled is a configuration of a set.
func (w *hostileWorld) filled(text, set string) map[string]any {
	w.t.Helper()
	text = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, "@@", "\x00"), "@", set), "\x00", "@"+set)
	text = strings.ReplaceAll(strings.ReplaceAll(text, "ada"+set+"acme", "ada@acme"), "bob"+set+"acme", "bob@acme")
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(w.ids))) {
		text = strings.ReplaceAll(text, name, w.ids[name])
	}
	var out map[string]any
	require.NoError(w.t, json.Unmarshal([]byte(text), &out), text)
	return out
}

// value is a value of a schema's type, with null for what is not given.
func (w *hostileWorld) value(schema *tfprotov6.Schema, given map[string]any) *tfprotov6.DynamicValue {
	w.t.Helper()
	text, err := json.Marshal(given)
	w.must(err)
	value, err := (&tfprotov6.DynamicValue{JSON: text}).Unmarshal(schema.ValueType())
	w.must(err)
	return providertest.Dynamic(value)
}

// proposed is what the CLI proposes for a change.
func (w *hostileWorld) proposed(schema *tfprotov6.Schema, config, prior *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	w.t.Helper()
	was, err := prior.Unmarshal(schema.ValueType())
	w.must(err)
	wanted, err := config.Unmarshal(schema.ValueType())
	w.must(err)
	return providertest.Dynamic(providertest.Proposed(schema, was, wanted))
}

// outcome of one operation.
type outcome struct {
	diags []*tfprotov6.Diagnostic
	texts []string                // other texts that are shown
	state *tfprotov6.DynamicValue // of an apply
}

func (w *hostileWorld) context() context.Context {
	ctx := tfsdklogtest.RootLogger(tflogtest.RootLogger(w.t.Context(), &w.log), &w.log)
	ctx, cancel := context.WithTimeout(ctx, hostileTime)
	w.t.Cleanup(cancel)
	return ctx
}

func (w *hostileWorld) planCreate(typeName, set string) (*tfprotov6.PlanResourceChangeResponse, outcome) {
	w.t.Helper()
	schema := w.schema.ResourceSchemas[typeName]
	config := w.value(schema, w.filled(hostileOf(typeName).Config, set))
	resp, err := w.server.PlanResourceChange(w.context(), &tfprotov6.PlanResourceChangeRequest{TypeName: typeName, PriorState: w.nothing(schema), ProposedNewState: config, Config: config})
	w.must(err)
	return resp, outcome{diags: resp.Diagnostics}
}

func (w *hostileWorld) nothing(schema *tfprotov6.Schema) *tfprotov6.DynamicValue {
	w.t.Helper()
	return providertest.Dynamic(tftypes.NewValue(schema.ValueType(), nil))
}

func (w *hostileWorld) create(typeName, set string) (hostileState, outcome) {
	w.t.Helper()
	schema := w.schema.ResourceSchemas[typeName]
	plan := w.planned[typeName+set]
	resp, err := w.server.ApplyResourceChange(w.context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: typeName, PriorState: w.nothing(schema), PlannedState: plan.PlannedState, PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
		Config: w.value(schema, w.filled(hostileOf(typeName).Config, set)),
	})
	w.must(err)
	return hostileState{resp.NewState, resp.Private, resp.NewIdentity}, outcome{diags: resp.Diagnostics, state: resp.NewState}
}

// prepare plans every create, and creates the existing objects, all with an honest service.
func (w *hostileWorld) prepare(typeNames []string) {
	w.t.Helper()
	for _, typeName := range typeNames {
		if typeName == "reseller_document_signing" {
			w.documents()
		}
		for _, set := range hostileSets {
			w.configure(false)
			plan, out := w.planCreate(typeName, string(set))
			w.wantNoErrors(typeName, out)
			w.planned[typeName+string(set)] = plan
		}
		for _, set := range []string{"b", "d"} {
			w.configure(false)
			state, out := w.create(typeName, set)
			w.wantNoErrors(typeName, out)
			w.states[typeName+set] = state
			w.configure(false)
			plan, out := w.planUpdate(typeName, set)
			w.wantNoErrors("change "+typeName, out)
			w.updates[typeName+set] = plan
		}
	}
	for _, label := range w.sim.Labels() {
		if label.Host == providertest.AcmeHost {
			w.ids["$owner"] = label.People[0].ID
		}
	}
	w.log.drain()
}

// documents creates the documents to sign.
func (w *hostileWorld) documents() {
	w.t.Helper()
	for i, doc := range w.sim.Documents() {
		set := string("bd"[i])
		w.ids["$doc"+set], w.ids["$annotation"+set] = doc.ID, doc.Signers[0].Annotations[0].ID
	}
	for to, from := range map[string]string{"a": "b", "c": "d"} {
		w.ids["$doc"+to], w.ids["$annotation"+to] = w.ids["$doc"+from], w.ids["$annotation"+from]
	}
}

func (w *hostileWorld) wantNoErrors(what string, out outcome) {
	w.t.Helper()
	for _, d := range out.diags {
		require.NotEqual(w.t, tfprotov6.DiagnosticSeverityError, d.Severity, "%s, with an honest service: %s: %s", what, d.Summary, d.Detail)
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
	w.t.Helper()
	typeNames := w.typesInOrder()
	w.service.strike(func(*hostileCall) bool { return true })
	w.reads(typeNames)
	w.exchange()

	w.service.strike((*hostileCall).writes)
	w.changes(typeNames, "a", "b")

	w.service.strike(func(c *hostileCall) bool { return !c.writes() })
	w.changes(typeNames, "c", "d")
}

// drawn tries operations with the types that the matrix draws for this row.
func (w *hostileWorld) drawn(set string, all ...operations) {
	w.t.Helper()
	for _, each := range all {
		for _, typeName := range matrix.Cells(w.matrix, each.types, w.row.name, each.name, set) {
			w.try(each.name+" "+typeName, func() outcome { return each.run(typeName) })
		}
	}
}

var slowRows sync.Mutex

// fewOperations is for rows whose calls are slow.
func (w *hostileWorld) fewOperations() {
	w.t.Helper()
	slowRows.Lock() // one at a time, because its cost is measured
	defer slowRows.Unlock()
	runtime.GC()
	w.service.strike(func(*hostileCall) bool { return true })
	w.try("data reseller_private_labels", func() outcome { return w.readData("reseller_private_labels") })
	w.try("create reseller_package", func() outcome { _, out := w.create("reseller_package", "a"); return out })
	w.exchange()
	w.service.strike((*hostileCall).writes)
	w.try("create reseller_private_label", func() outcome { _, out := w.create("reseller_private_label", "c"); return out })
}

// typesInOrder has documents before the resources that sign them.
func (w *hostileWorld) typesInOrder() []string {
	w.t.Helper()
	names := slices.Sorted(maps.Keys(w.schema.ResourceSchemas))
	for _, name := range names {
		require.NotEmpty(w.t, hostileOf(name).Config, "%s has no hostile case", name)
	}
	return names
}

// try runs one operation in a new session and checks its outcome.
func (w *hostileWorld) try(name string, run func() outcome) {
	w.t.Helper()
	w.tried.Add(1)
	w.configure(strings.HasSuffix(name, "with the key"))
	began := time.Now()
	w.check(name, run())
	assert.LessOrEqual(w.t, time.Since(began), hostileTime, "%s took", name)
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
func (w *hostileWorld) reads(typeNames []string) {
	w.t.Helper()
	w.drawn("b",
		operations{"data", slices.Sorted(maps.Keys(w.schema.DataSourceSchemas)), w.readData},
		operations{"read", typeNames, w.read},
		operations{"plan to create", typeNames, func(name string) outcome { _, out := w.planCreate(name, "a"); return out }},
		operations{"plan to change", typeNames, func(name string) outcome { _, out := w.planUpdate(name, "b"); return out }},
		operations{"plan to destroy", typeNames, func(name string) outcome { return w.planDestroy(name, "b") }},
		operations{"import", typeNames, w.importOne},
		operations{"list", slices.Sorted(maps.Keys(w.schema.ListResourceSchemas)), w.list},
		operations{"open", slices.Sorted(maps.Keys(w.schema.EphemeralResourceSchemas)), w.open},
	)
}

// exchange tries the calls that get a token and a slug first.
func (w *hostileWorld) exchange() {
	w.t.Helper()
	w.try("data reseller_dashboard with the key", func() outcome { return w.readData("reseller_dashboard") })
	w.try("open reseller_access_token with the key", func() outcome { return w.open("reseller_access_token") })
	w.try("create reseller_package with the key", func() outcome { _, out := w.create("reseller_package", "a"); return out })
}

// changes tries for every type a create, and a change and a destroy of an existing object.
func (w *hostileWorld) changes(typeNames []string, createdName, there string) {
	w.t.Helper()
	changeable := slices.DeleteFunc(slices.Clone(typeNames), func(name string) bool { return hostileOf(name).Change == "" })
	w.drawn(there,
		operations{"create", typeNames, func(name string) outcome { return w.createTold(name, createdName) }},
		operations{"change", changeable, func(name string) outcome { return w.update(name, there) }},
		operations{"action", slices.Sorted(maps.Keys(w.schema.ActionSchemas)), w.invoke},
		operations{"destroy", reversed(typeNames), func(name string) outcome { return w.destroy(name, there) }},
	)
}

// books count what the simulator has.
func (w *hostileWorld) books() int {
	n := len(w.sim.Documents()) + len(w.sim.Minted())
	for _, l := range w.sim.Labels() {
		n += 1 + l.Members
	}
	return n + len(w.sim.Packages()) + len(w.sim.Addons())
}

// createTold asserts that what was created is in state, or that an error says that it may exist.
func (w *hostileWorld) createTold(typeName, set string) outcome {
	w.t.Helper()
	before := w.books()
	_, out := w.create(typeName, set)
	if w.books() <= before || hasErrors(out.diags) {
		return out
	}
	require.NotNil(w.t, out.state, "create %s: it was made, there is no state, and no error", typeName)
	state, err := out.state.Unmarshal(w.schema.ResourceSchemas[typeName].ValueType())
	require.NoError(w.t, err, "create %s: it was made, the state is %v, and there is no error", typeName, state)
	assert.False(w.t, state.IsNull(), "create %s: it was made, the state is %v, and there is no error", typeName, state)
	return out
}

// reversed is the order in which objects that others need are destroyed last.
func reversed(names []string) []string {
	names = slices.Clone(names)
	slices.Reverse(names)
	return names
}

func hasErrors(diags []*tfprotov6.Diagnostic) bool {
	return slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

func (w *hostileWorld) readData(name string) outcome {
	w.t.Helper()
	config := w.value(w.schema.DataSourceSchemas[name], w.filled(w.given(name), "b"))
	resp, err := w.server.ReadDataSource(w.context(), &tfprotov6.ReadDataSourceRequest{TypeName: name, Config: config})
	w.must(err)
	return outcome{diags: resp.Diagnostics, state: resp.State}
}

// given is the configuration of a data source, list or action.
func (w *hostileWorld) given(name string) string {
	w.t.Helper()
	require.NotEmpty(w.t, hostileReads[name], "%s is not in hostileReads", name)
	return hostileReads[name]
}

func (w *hostileWorld) read(name string) outcome {
	w.t.Helper()
	was := w.states[name+"b"]
	resp, err := w.server.ReadResource(w.context(), &tfprotov6.ReadResourceRequest{TypeName: name, CurrentState: was.state, Private: was.private, CurrentIdentity: was.identity})
	w.must(err)
	return outcome{diags: resp.Diagnostics, state: resp.NewState}
}

func (w *hostileWorld) planUpdate(name, set string) (*tfprotov6.PlanResourceChangeResponse, outcome) {
	w.t.Helper()
	schema, was := w.schema.ResourceSchemas[name], w.states[name+set]
	config := w.value(schema, w.changedConfig(name, set))
	resp, err := w.server.PlanResourceChange(w.context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: name, PriorState: was.state, PriorPrivate: was.private, PriorIdentity: was.identity,
		ProposedNewState: w.proposed(schema, config, was.state), Config: config,
	})
	w.must(err)
	return resp, outcome{diags: resp.Diagnostics}
}

func (w *hostileWorld) changedConfig(name, set string) map[string]any {
	w.t.Helper()
	config := w.filled(hostileOf(name).Config, set)
	if hostileOf(name).Change != "" {
		maps.Copy(config, w.filled(hostileOf(name).Change, set))
	}
	return config
}

func (w *hostileWorld) update(name, set string) outcome {
	w.t.Helper()
	schema, was, plan := w.schema.ResourceSchemas[name], w.states[name+set], w.updates[name+set]
	resp, err := w.server.ApplyResourceChange(w.context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: was.state, PlannedState: plan.PlannedState, PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
		Config: w.value(schema, w.changedConfig(name, set)),
	})
	w.must(err)
	state, err := resp.NewState.Unmarshal(schema.ValueType())
	require.NoError(w.t, err, "change %s: the state is %v", name, state)
	assert.False(w.t, state.IsNull(), "change %s: the state is %v, %v", name, state, err)
	return outcome{diags: resp.Diagnostics, state: resp.NewState}
}

func (w *hostileWorld) planDestroy(name, set string) outcome {
	w.t.Helper()
	schema, was := w.schema.ResourceSchemas[name], w.states[name+set]
	null := w.nothing(schema)
	resp, err := w.server.PlanResourceChange(w.context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: name, PriorState: was.state, PriorPrivate: was.private, PriorIdentity: was.identity, ProposedNewState: null, Config: null,
	})
	w.must(err)
	return outcome{diags: resp.Diagnostics}
}

func (w *hostileWorld) destroy(name, set string) outcome {
	w.t.Helper()
	schema, was := w.schema.ResourceSchemas[name], w.states[name+set]
	null := w.nothing(schema)
	resp, err := w.server.ApplyResourceChange(w.context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: was.state, PlannedState: null, PlannedPrivate: was.private, PlannedIdentity: was.identity, Config: null,
	})
	w.must(err)
	return outcome{diags: resp.Diagnostics, state: resp.NewState}
}

func (w *hostileWorld) importOne(name string) outcome {
	w.t.Helper()
	resp, err := w.server.ImportResourceState(w.context(), &tfprotov6.ImportResourceStateRequest{TypeName: name, ID: hostileOf(name).Import})
	w.must(err)
	out := outcome{diags: resp.Diagnostics}
	for _, object := range resp.ImportedResources {
		read, err := w.server.ReadResource(w.context(), &tfprotov6.ReadResourceRequest{TypeName: name, CurrentState: object.State, Private: object.Private, CurrentIdentity: object.Identity})
		w.must(err)
		out.diags, out.state = append(out.diags, read.Diagnostics...), read.NewState
	}
	return out
}

func (w *hostileWorld) list(name string) outcome {
	w.t.Helper()
	config := w.value(w.schema.ListResourceSchemas[name], w.filled(w.given("list "+name), "b"))
	stream, err := w.server.ListResource(w.context(), &tfprotov6.ListResourceRequest{TypeName: name, Config: config, IncludeResource: true, Limit: 20})
	w.must(err)
	var out outcome
	for result := range stream.Results {
		out.diags, out.texts = append(out.diags, result.Diagnostics...), append(out.texts, result.DisplayName)
	}
	return out
}

func (w *hostileWorld) open(name string) outcome {
	w.t.Helper()
	config := w.value(w.schema.EphemeralResourceSchemas[name], w.filled(w.given("ephemeral "+name), "b"))
	resp, err := w.server.OpenEphemeralResource(w.context(), &tfprotov6.OpenEphemeralResourceRequest{TypeName: name, Config: config})
	w.must(err)
	return outcome{diags: resp.Diagnostics} // its result is the token
}

func (w *hostileWorld) invoke(name string) outcome {
	w.t.Helper()
	config := w.value(w.schema.ActionSchemas[name].Schema, w.filled(w.given("action "+name), "b"))
	stream, err := w.server.InvokeAction(w.context(), &tfprotov6.InvokeActionRequest{ActionType: name, Config: config})
	w.must(err)
	var out outcome
	for event := range stream.Events {
		switch e := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			out.texts = append(out.texts, e.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			out.diags = append(out.diags, e.Diagnostics...)
		}
	}
	return out
}

// check examines the diagnostics of an operation, its log and its state.
func (w *hostileWorld) check(name string, out outcome) {
	w.t.Helper()
	texts := out.texts
	for _, d := range out.diags {
		texts = append(texts, d.Summary, d.Detail)
		assert.NotEqual(w.t, diagnostic.SummaryFault, d.Summary, "%s: %s", name, d.Detail)
		n, m := utf8.RuneCountInString(d.Summary), utf8.RuneCountInString(d.Detail)
		assert.LessOrEqual(w.t, n, 300, "%s: a diagnostic has and %d characters", name, m)
		assert.LessOrEqual(w.t, m, 2000, "%s: a diagnostic has %d and characters", name, n)
	}
	log := w.log.drain()
	for _, text := range append(texts, log) {
		if bad := strings.IndexFunc(text, func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
		}); bad >= 0 || !utf8.ValidString(text) {
			w.t.Errorf("%s: %q acts on a terminal: %.300q", name, text[max(0, bad):min(len(text), max(0, bad)+4)], text)
		}
	}
	for _, needle := range w.needles {
		for _, text := range append(texts, log) {
			assert.NotContains(w.t, text, needle, "%s: a secret…) is shown", name)
		}
	}
	if out.state != nil && bytes.Contains(out.state.MsgPack, []byte(w.token)) {
		w.t.Errorf("%s: the token is in state", name)
	}
	assert.LessOrEqual(w.t, len(log), 1<<20, "%s: bytes of log", name)
}
