package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Settings are those of the provider's clients. The Signing API is read if its URL and key are set.
type Settings struct {
	API     client.Config
	Signing signing.Config
}

func (s Settings) signs() bool {
	return s.Signing.URL+s.Signing.APIURL != "" && s.Signing.UserAPIKey != ""
}

// A check retries a call once and waits for a rate limit for two minutes, independent of the settings, so that it ends.
const (
	maxRetries = 1
	maxWait    = 2 * time.Minute
)

// endpoint is what a check reads, as the provider does. What it needs are the tags of the client's types.
type endpoint struct {
	api, name string
	neededBy  string
	labels    int                            // number of private labels that it is read of, 0 for none
	shown     func(data json.RawMessage) any // data as the API documentation shows it; nil if it does not
	read      func(*check, context.Context) error
	instead   string // what the provider does without it, so that a failure does no harm
}

const (
	apiReseller, apiSigning = "reseller", "signing"

	label      = "GET …/private-labels/:tenantId"
	mostLabels = 3

	dataSource  = "the data source reseller_"
	ofLabel     = "reseller_private_label, reseller_assignment, reseller_domain_verification"
	ofSent      = dataSource + "sent_documents, and reseller_document after a lost response"
	readsDetail = "the provider reads the detail of the private label"
	readsList   = "the provider reads a suspended private label from the list"
	readsSearch = "the provider reads the search, and keeps in state what that lacks"
)

// endpoints are in the order of the calls and of the report.
var endpoints = []*endpoint{
	{apiReseller, "POST /api/v1/auth/token", "every resource", 0, as[transport.TokenResponse](""), (*check).exchange, ""},
	{apiReseller, "GET /console/dashboard", "every resource, unless slug is set", 0, as[client.Dashboard](""), (*check).dashboard, ""},
	{apiReseller, "GET …/private-labels", "every resource of a private label", 0, as[client.PrivateLabelList](""), (*check).list, ""},
	{apiReseller, label, ofLabel, mostLabels, as[client.PrivateLabel](""), withLabel((*client.Client).GetPrivateLabel), ""},
	{apiReseller, label + "/members", "reseller_member, reseller_members", mostLabels, as[client.Member]("members"), withLabel((*client.Client).ListMembers), ""},
	{apiReseller, label + "/templates", dataSource + "templates", mostLabels, as[client.Template]("templates"), withLabel((*client.Client).ListTemplates), ""},
	{apiReseller, label + "/package", "reseller_assignment", mostLabels, nil, withLabel((*client.Client).GetAssignment), readsDetail},
	{apiReseller, label + "/points", dataSource + "points_ledger", 1, nil, (*check).ledger, ""},
	{apiReseller, "POST …/billing/packages/search", "reseller_package, reseller_assignment", 0, nil, search(client.KindPackage), ""},
	{apiReseller, "…/billing/packages/get", "reseller_package", 0, nil, firstItem(client.KindPackage), readsSearch},
	{apiReseller, "POST …/billing/addons/search", "reseller_addon, reseller_assignment", 0, nil, search(client.KindAddon), ""},
	{apiReseller, "…/billing/addons/get", "reseller_addon", 0, nil, firstItem(client.KindAddon), readsSearch},
	{apiReseller, "GET …/usage", dataSource + "usage", 0, nil, withLabel((*client.Client).Usage), ""},
	{apiReseller, "GET …/billing/quota", dataSource + "quota", 0, nil, all((*client.Client).Quota), ""},
	{apiReseller, "GET …/billing/points", dataSource + "points", 0, nil, all((*client.Client).Points), ""},
	{apiReseller, "GET …/keys", dataSource + "api_keys", 0, as[client.APIKey]("keys"), all((*client.Client).ListAPIKeys), ""},
	{apiSigning, "stored signatures", dataSource + "signatures", 0, nil, (*check).signatures, ""},
	{apiSigning, "sent documents", ofSent, 0, nil, (*check).sentDocuments, ""},
}

// as decodes data as the client does, or the rows in a field of it.
func as[T any](rows string) func(json.RawMessage) any {
	return func(data json.RawMessage) any {
		if rows != "" {
			var list []T
			_ = anyjson.Read(anyjson.ReadObject(data)[rows], &list) // an error is the client's as well
			return map[string]any{rows: list}
		}
		out := new(T)
		_ = anyjson.Read(data, out)
		return out
	}
}

// withLabel reads something of a private label, or with an argument of "" for the default.
func withLabel[T any](get func(*client.Client, context.Context, string) (T, error)) func(*check, context.Context) error {
	return func(c *check, ctx context.Context) error {
		_, err := get(c.client, ctx, c.label)
		return err
	}
}

func all[T any](get func(*client.Client, context.Context) (T, error)) func(*check, context.Context) error {
	return func(c *check, ctx context.Context) error {
		_, err := get(c.client, ctx)
		return err
	}
}

func search(kind client.Kind) func(*check, context.Context) error {
	return func(c *check, ctx context.Context) (err error) {
		c.items, err = c.client.SearchItems(ctx, kind, "")
		return err
	}
}

// firstItem reads the first item of the search before.
func firstItem(kind client.Kind) func(*check, context.Context) error {
	return func(c *check, ctx context.Context) error {
		if len(c.items) == 0 {
			return nil
		}
		item, err := c.client.GetItem(ctx, kind, c.items[0].ID)
		if err == nil {
			c.aside = fmt.Sprintf("summary=%t", len(item.Settings) > len(c.items[0].Settings))
		}
		return err
	}
}

// check reads a service through the provider's clients.
type check struct {
	*recorder
	settings Settings
	wanted   string // private label to read, "" for those that differ most
	client   *client.Client
	signing  *signing.Client              // nil without its settings
	labels   []client.PrivateLabelSummary // to read
	label    string                       // ID of the one that is read
	items    []client.Item                // of the latest search

	rows    []*EndpointReport // of endpoints
	facts   []fact
	aside   string            // line of the facts of the present endpoint
	details map[string]string // facts of the details, by private label
	fields  map[string]bool   // documented names of fields that were seen
	stopped error             // why no more calls are made
	first   error             // of the first call that failed
}

func newCheck(s Settings, clock transport.Clock, wanted string) *check {
	c := &check{recorder: &recorder{clock: clock, started: clock.Now()}, wanted: wanted, details: map[string]string{}, fields: map[string]bool{}}
	for _, api := range []struct {
		name     string
		settings *transport.Settings
		bases    []string
	}{{apiReseller, &s.API.Settings, []string{s.API.BaseURL}}, {apiSigning, &s.Signing.Settings, []string{s.Signing.APIURL, s.Signing.URL}}} {
		next := api.settings.Transport
		if next == nil {
			next = transport.NewPooledTransport()
		}
		api.settings.Transport = &wire{c.recorder, api.name, api.bases, next}
		api.settings.MaxRetries = maxRetries
		api.settings.MaxWait = maxWait
		api.settings.Clock = clock
	}
	s.API.TokenCacheDir = "" // the check has an exchange of its own, so that it sees one
	c.settings = s
	return c
}

// errNoLabel: the reseller does not have the private label of -label.
var errNoLabel = errors.New("the reseller has no private label")

// run makes the calls of a check. The error is of the settings, or of a private label that does not exist.
func (c *check) run(ctx context.Context) (err error) {
	if c.client, err = client.New(c.settings.API); err != nil {
		return err
	}
	if c.settings.signs() {
		if c.signing, err = signing.New(c.settings.Signing); err != nil {
			return err
		}
	}
	for _, e := range endpoints {
		report := &EndpointReport{API: e.api, Endpoint: e.name, NeededBy: e.neededBy, look: look{}}
		c.rows = append(c.rows, report)
		for i := range max(1, e.labels) {
			if c.label = ""; e.labels > 0 {
				if i >= len(c.labels) {
					break
				}
				c.label = c.labels[i].TenantID
			}
			c.aside = c.details[c.label]
			c.call(ctx, e, report)
		}
	}
	if errors.Is(c.stopped, errNoLabel) {
		return c.stopped
	}
	return nil
}

// exchange exchanges the key once, without a retry.
func (c *check) exchange(ctx context.Context) error {
	once := c.settings.API
	once.MaxRetries = 0
	if once.AccessToken != "" {
		return nil
	}
	exchanger, err := client.New(once)
	if err != nil {
		return err
	}
	creds, err := exchanger.AccessToken(ctx)
	if err != nil {
		c.stop(errors.New("there is no access token"))
		return err
	}
	c.settings.API.AccessToken = creds.AccessToken
	c.client, err = client.New(c.settings.API)
	return err
}

func (c *check) dashboard(ctx context.Context) error {
	if c.settings.API.Slug != "" {
		_, err := c.client.Dashboard(ctx)
		return err
	}
	_, err := c.client.Slug(ctx)
	if err != nil {
		c.stop(errors.New("the slug is not known"))
	}
	return err
}

func (c *check) list(ctx context.Context) error {
	found, err := c.client.ListPrivateLabels(ctx, "")
	if err != nil {
		return err
	}
	if c.labels = differing(found.PrivateLabels); c.wanted != "" {
		c.labels = slices.DeleteFunc(found.PrivateLabels, func(l client.PrivateLabelSummary) bool {
			return !strings.EqualFold(l.PrimaryHost, c.wanted) && l.TenantID != c.wanted
		})
		if len(c.labels) == 0 {
			c.stop(fmt.Errorf("%w %s", errNoLabel, c.wanted))
		}
	}
	return nil
}

// differing returns up to three private labels that differ most: the one whose package is the rarest, since those with
// add-ons cannot be seen in the list, one without a package, one that is suspended, and else the first ones.
func differing(all []client.PrivateLabelSummary) (out []client.PrivateLabelSummary) {
	uses := map[string]int{}
	rarest := ""
	packageOf := func(l client.PrivateLabelSummary) string {
		return cmp.Or(l.AssignedPackage.Value, &client.AssignedPackage{}).PackageID
	}
	for _, l := range all {
		uses[packageOf(l)]++
	}
	for _, l := range all {
		if id := packageOf(l); id != "" && (rarest == "" || uses[id] < uses[rarest]) {
			rarest = id
		}
	}
	left := slices.Clone(all)
	anyone := func(client.PrivateLabelSummary) bool { return true }
	for _, wanted := range []func(client.PrivateLabelSummary) bool{
		func(l client.PrivateLabelSummary) bool { return rarest != "" && packageOf(l) == rarest },
		func(l client.PrivateLabelSummary) bool { return packageOf(l) == "" },
		func(l client.PrivateLabelSummary) bool { return l.Status == client.StatusSuspended },
		anyone, anyone,
	} {
		if at := slices.IndexFunc(left, wanted); at >= 0 && len(out) < mostLabels {
			out, left = append(out, left[at]), slices.Delete(left, at, at+1)
		}
	}
	return out
}

func (c *check) ledger(ctx context.Context) error {
	const some = 20
	_, _, err := c.client.PointsLedger(ctx, c.label, "", some)
	return err
}

func (c *check) signatures(ctx context.Context) error {
	list, err := c.signing.SignatureList(ctx)
	c.aside = fmt.Sprintf("odd=%t", slices.ContainsFunc(list, func(s signing.Signature) bool { return s.ID == "" }))
	return err
}

// sentDocuments reads those of the personal account, or of a private label if the API demands a domain.
func (c *check) sentDocuments(ctx context.Context) error {
	_, err := c.signing.SentDocuments(ctx, "")
	if e, answered := errors.AsType[*transport.Error](err); answered && e.Code != "" && e.Status != http.StatusNotFound && len(c.labels) > 0 {
		_, err = c.signing.SentDocuments(ctx, c.labels[0].PrimaryHost)
	}
	return err
}

// call makes the calls of an endpoint, and adds to its report what they show.
func (c *check) call(ctx context.Context, e *endpoint, r *EndpointReport) {
	if c.stopped != nil || e.api == apiSigning && c.signing == nil {
		return
	}
	before := len(c.exchanges)
	err := e.read(c, ctx)
	exchanges := c.exchanges[before:]
	if r.Calls += len(exchanges); len(exchanges) == 0 && err == nil {
		return // nothing to read
	}
	if err == nil {
		c.compare(e, exchanges[len(exchanges)-1].Response, r.look)
	}
	c.note(e, exchanges, r.look)
	limit, isLimit := errors.AsType[*transport.RateLimitError](err)
	switch {
	case ctx.Err() != nil:
		c.stopped = ctx.Err()
	case err == nil:
		r.worse(resultDocumented)
		return
	case errors.Is(err, errCalls):
		c.stop(errCalls)
	case errors.Is(err, errVolume):
		c.stop(errVolume)
	case isLimit:
		c.stop(fmt.Errorf("the %s rate limit stays exhausted", limit.Limit))
	case errors.Is(err, errNotRecorded):
		r.problem = errNotRecorded.Error()
	case e.name == label && client.MayBeGone(err) && c.isSuspended():
		r.worse(resultDiffers)
		r.problem = problem(err, exchanges) + ": " + readsList
	case e.instead != "":
		r.worse(resultDiffers)
		r.problem = problem(err, exchanges) + ": " + e.instead
	default:
		r.worse(resultFails)
		r.problem = problem(err, exchanges)
	}
	if c.first == nil {
		c.first = err
		if n := len(exchanges); n > 0 && exchanges[n-1].Response != nil && exchanges[n-1].Response.Body == nil {
			c.first = fmt.Errorf("%w (%s)", err, r.problem) // the page of a proxy, for example
		}
	}
}

// isSuspended reports whether the list shows the private label that is read as suspended.
func (c *check) isSuspended() bool {
	return slices.ContainsFunc(c.labels, func(l client.PrivateLabelSummary) bool {
		return l.TenantID == c.label && l.Status == client.StatusSuspended
	})
}

func (c *check) stop(reason error) {
	c.stopped = cmp.Or(c.stopped, reason)
}

// quotedText is text of the API in a message of the client.
var quotedText = regexp.MustCompile(`"[^"]*"`)

// problem says what is wrong with the responses to a call, without their texts.
func problem(err error, exchanges []Exchange) string {
	e, answered := errors.AsType[*transport.Error](err)
	var last Exchange
	if len(exchanges) > 0 {
		last = exchanges[len(exchanges)-1]
	}
	switch {
	case last.Failure != "":
		return last.Failure
	case answered && (errorCode.MatchString(e.Code) || vocabulary[e.Code]):
		return fmt.Sprintf("API error %s (HTTP %d)", e.Code, e.Status)
	case last.Response != nil && last.Response.Body == nil:
		return fmt.Sprintf("HTTP %d with a body that is not JSON (%s)", last.Response.Status, cmp.Or(mediaOf(last.Response), "no Content-Type"))
	case answered && e.Status < http.StatusMultipleChoices:
		return quotedText.ReplaceAllString(e.Message, "…")
	case answered:
		return fmt.Sprintf("HTTP %d", e.Status)
	case errors.Is(err, client.ErrNotReadAlone):
		return "the response does not have the item"
	}
	return "the call was not made, because an ID or the slug has a form that the provider does not send"
}
