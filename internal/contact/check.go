package contact

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

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
)

// Settings are those of the provider's clients. The Signing API is read if its URL and key are set.
type Settings struct {
	API     client.Config
	Signing signing.Config
}

func (s Settings) signs() bool { return s.Signing.URL != "" && s.Signing.UserAPIKey != "" }

// A check retries a call once and waits for a rate limit for two minutes, independent of the settings, so that it ends.
const (
	maxRetries = 1
	maxWait    = 2 * time.Minute
)

// idForm is the form of IDs (Reseller API §2.1).
var idForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// check reads a service through the provider's clients.
type check struct {
	*recorder
	rows    map[*endpoint]*row
	facts   []fact
	stopped error // why no more calls are made
	first   error // of the first call that failed
}

// wired returns the settings with the transport of the check, and its limits.
func (c *check) wired(s Settings) Settings {
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
		api.settings.MaxRetries, api.settings.MaxWait, api.settings.Clock = maxRetries, maxWait, c.clock
	}
	s.API.TokenCacheDir = "" // the check has an exchange of its own, so that it sees one
	return s
}

// run makes the calls of a check. The error is of the settings, or of a private label that does not exist.
func (c *check) run(ctx context.Context, s Settings, label string) error {
	s = c.wired(s)
	api, err := c.connect(ctx, s.API)
	if err != nil || api == nil {
		return err
	}
	found, _, _ := read(ctx, c, list, func() (*client.PrivateLabelList, error) { return api.ListPrivateLabels(ctx, "") })
	var labels []client.PrivateLabelSummary
	if found != nil {
		if labels = differing(found.PrivateLabels); label != "" {
			labels = slices.DeleteFunc(found.PrivateLabels, func(l client.PrivateLabelSummary) bool {
				return !strings.EqualFold(l.PrimaryHost, label) && l.TenantID != label
			})
			if len(labels) == 0 {
				return fmt.Errorf("the reseller has no private label %s", label)
			}
		}
	}
	for i, l := range labels {
		c.label(ctx, api, l, i == 0)
	}
	c.catalog(ctx, api)
	c.reports(ctx, api)
	if s.signs() {
		host := ""
		if len(labels) > 0 {
			host = labels[0].PrimaryHost
		}
		if err := c.sign(ctx, s.Signing, host); err != nil {
			return err
		}
	}
	return nil
}

// connect exchanges the key once and reads the slug. The client is nil if no other call can be made.
func (c *check) connect(ctx context.Context, cfg client.Config) (*client.Client, error) {
	if cfg.AccessToken == "" {
		once := cfg
		once.MaxRetries = 0
		exchanger, err := client.New(once)
		if err != nil {
			return nil, err
		}
		creds, _, ok := read(ctx, c, exchange, func() (*transport.Credentials, error) { return exchanger.AccessToken(ctx) })
		if !ok {
			return nil, nil //nolint:nilnil // the row of the report has the error
		}
		cfg.AccessToken = creds.AccessToken
	}
	api, err := client.New(cfg)
	if err != nil {
		return nil, err
	}
	_, _, ok := read(ctx, c, dashboard, func() (string, error) {
		if cfg.Slug != "" {
			_, err := api.Dashboard(ctx)
			return cfg.Slug, err
		}
		return api.Slug(ctx)
	})
	if !ok && cfg.Slug == "" {
		c.stop(errors.New("the slug is not known"))
		return nil, nil //nolint:nilnil // the row of the report has the error
	}
	return api, nil
}

// read makes the calls of an endpoint. data is that of the last response, nil after an error.
func read[T any](ctx context.Context, c *check, e *endpoint, call func() (T, error)) (out T, data json.RawMessage, ok bool) {
	r := c.rows[e]
	if c.stopped != nil {
		return out, nil, false
	}
	before := len(c.exchanges)
	out, err := call()
	made := c.exchanges[before:]
	r.calls += len(made)
	for _, x := range made {
		if x.Response == nil {
			continue
		}
		if data = nil; x.Response.Status < http.StatusBadRequest && x.Response.Body != nil {
			data = r.look.response(e, x.Response)
		}
		c.note(e, x, data)
	}
	limit, isLimit := errors.AsType[*transport.RateLimitError](err)
	switch {
	case ctx.Err() != nil:
		c.stop(ctx.Err())
	case err == nil:
		r.worse(resultDocumented)
		return out, data, true
	case errors.Is(err, errCalls):
		c.stop(errCalls)
	case errors.Is(err, errVolume):
		c.stop(errVolume)
	case isLimit:
		c.stop(fmt.Errorf("the %s rate limit stays exhausted", limit.Limit))
	case errors.Is(err, errNotRecorded):
		r.problem = errNotRecorded.Error()
	case e.instead != "":
		r.worse(resultDiffers)
		r.problem = problem(err, made) + ": " + e.instead
	default:
		r.worse(resultFails)
		r.problem = problem(err, made)
	}
	if c.first == nil {
		c.first = err
		if n := len(made); n > 0 && made[n-1].Response != nil && made[n-1].Response.Body == nil {
			c.first = fmt.Errorf("%w (%s)", err, r.problem) // the page of a proxy, for example
		}
	}
	return out, nil, false
}

func (c *check) stop(reason error) { c.stopped = cmp.Or(c.stopped, reason) }

// quotedText is text of the API in a message of the client.
var quotedText = regexp.MustCompile(`"[^"]*"`)

// problem says what is wrong with the responses to a call, without their texts.
func problem(err error, made []Exchange) string {
	e, answered := errors.AsType[*transport.Error](err)
	var last Exchange
	if len(made) > 0 {
		last = made[len(made)-1]
	}
	switch {
	case last.Failure != "":
		return last.Failure
	case answered && (errorCode.MatchString(e.Code) || enumValue.MatchString(e.Code)):
		return fmt.Sprintf("API error %s (HTTP %d)", e.Code, e.Status)
	case last.Response != nil && last.Response.Body == nil:
		return fmt.Sprintf("HTTP %d with a body that is not JSON (%s)", last.Response.Status, cmp.Or(mediaOf(last.Response), "no Content-Type"))
	case answered && e.Status < http.StatusMultipleChoices:
		return quotedText.ReplaceAllString(e.Message, "…")
	case answered:
		return fmt.Sprintf("HTTP %d", e.Status)
	case errors.Is(err, client.ErrNotReadAlone):
		return "the response does not have the item"
	default:
		return "the call was not made, because an ID or the slug has a form that the provider does not send"
	}
}

// differing returns up to three private labels that differ most: the one whose package is the rarest, since those with
// add-ons cannot be seen in the list, one without a package, one that is suspended, and else the first ones.
func differing(all []client.PrivateLabelSummary) (out []client.PrivateLabelSummary) {
	const most = 3
	uses := map[string]int{}
	for _, l := range all {
		if l.AssignedPackage != nil {
			uses[l.AssignedPackage.PackageID]++
		}
	}
	rarest := 0
	for _, n := range uses {
		if rarest == 0 || n < rarest {
			rarest = n
		}
	}
	for _, wanted := range []func(client.PrivateLabelSummary) bool{
		func(l client.PrivateLabelSummary) bool {
			return l.AssignedPackage != nil && uses[l.AssignedPackage.PackageID] == rarest
		},
		func(l client.PrivateLabelSummary) bool { return l.AssignedPackage == nil },
		func(l client.PrivateLabelSummary) bool { return l.Status == client.StatusSuspended },
		func(client.PrivateLabelSummary) bool { return true },
		func(client.PrivateLabelSummary) bool { return true },
	} {
		at := slices.IndexFunc(all, func(l client.PrivateLabelSummary) bool {
			isTaken := slices.ContainsFunc(out, func(taken client.PrivateLabelSummary) bool { return taken.TenantID == l.TenantID })
			return !isTaken && wanted(l)
		})
		if at >= 0 && len(out) < most {
			out = append(out, all[at])
		}
	}
	return out
}

// label reads one private label.
func (c *check) label(ctx context.Context, api *client.Client, l client.PrivateLabelSummary, first bool) {
	_, whole, _ := read(ctx, c, detail, func() (*client.PrivateLabel, error) { return api.GetPrivateLabel(ctx, l.TenantID) })
	_, _, _ = read(ctx, c, members, func() ([]client.Member, error) { return api.ListMembers(ctx, l.TenantID) })
	_, _, _ = read(ctx, c, templates, func() ([]client.Template, error) { return api.ListTemplates(ctx, l.TenantID) })
	since := len(c.facts)
	_, _, _ = read(ctx, c, assignment, func() (*client.Assignment, error) { return api.GetAssignment(ctx, l.TenantID) })
	c.add(since, "detail", plain(whole))
	if first {
		_, _, _ = read(ctx, c, ledger, func() ([]client.LedgerRow, error) {
			const some = 20
			rows, _, err := api.PointsLedger(ctx, l.TenantID, "", some)
			return rows, err
		})
	}
}

// catalog reads the packages and the add-ons, and one of each.
func (c *check) catalog(ctx context.Context, api *client.Client) {
	for _, k := range []struct {
		kind        client.Kind
		search, one *endpoint
	}{{client.KindPackage, packages, onePackage}, {client.KindAddon, addons, oneAddon}} {
		items, rows, _ := read(ctx, c, k.search, func() ([]client.Item, error) { return api.SearchItems(ctx, k.kind, "") })
		if len(items) == 0 {
			continue
		}
		since := len(c.facts)
		_, whole, ok := read(ctx, c, k.one, func() (*client.Item, error) { return api.GetItem(ctx, k.kind, items[0].ID) })
		if ok {
			c.add(since, "lacks", lacking(rows, whole, items[0].ID))
		}
	}
}

// reports reads what the data sources of figures and keys read.
func (c *check) reports(ctx context.Context, api *client.Client) {
	_, _, _ = read(ctx, c, usage, func() (json.RawMessage, error) { return api.Usage(ctx, "") })
	_, _, _ = read(ctx, c, quota, func() (json.RawMessage, error) { return api.Quota(ctx) })
	_, _, _ = read(ctx, c, points, func() (json.RawMessage, error) { return api.Points(ctx) })
	_, _, _ = read(ctx, c, keys, func() ([]client.APIKey, error) { return api.ListAPIKeys(ctx) })
}

// sign reads the signatures and the sent documents: of the personal account, or of a private label if the API demands a
// domain.
func (c *check) sign(ctx context.Context, cfg signing.Config, host string) error {
	api, err := signing.New(cfg)
	if err != nil {
		return err
	}
	_, _, _ = read(ctx, c, signatures, func() ([]signing.Signature, error) { return api.SignatureList(ctx) })
	_, _, _ = read(ctx, c, sentDocuments, func() (json.RawMessage, error) {
		sent, err := api.SentDocuments(ctx, "")
		if e, answered := errors.AsType[*transport.Error](err); answered && e.Code != "" && e.Status != http.StatusNotFound && host != "" {
			return api.SentDocuments(ctx, host)
		}
		return sent, err
	})
	return nil
}
