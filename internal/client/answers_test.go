package client

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// An answer that lacks what is needed is an error by name: an empty list would
// read as "every label is gone".
func TestAnswersThatLackSomething(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, tc := range []struct {
		name  string
		kind  string
		data  string
		field string
		call  func(*Client) error
	}{
		{"list", stubList, `{}`, "privateLabels", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"list null", stubList, `null`, "privateLabels", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"list item", stubList, `{"privateLabels":[{"primaryHost":"a.example"}]}`, "privateLabels[0].tenantId", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"list host", stubList, `{"privateLabels":[{"tenantId":"` + stubID + `"}]}`, "privateLabels[0].primaryHost", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"detail", stubDetail, `{}`, "tenantId", func(c *Client) error { _, err := c.GetPrivateLabel(ctx, stubID); return err }},
		{"suspend", "POST suspend", `{}`, "status", func(c *Client) error { _, err := c.SuspendPrivateLabel(ctx, stubID, ""); return err }},
		{"unsuspend", "POST unsuspend", `{}`, "status", func(c *Client) error { _, err := c.UnsuspendPrivateLabel(ctx, stubID); return err }},
		{"attach", "POST attach", `{}`, "domainSetup", func(c *Client) error { _, err := c.AttachDomain(ctx, stubID); return err }},
		{"templates", "GET templates", `{}`, "templates", func(c *Client) error { _, err := c.ListTemplates(ctx, stubID); return err }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _, _ := stubbed(t, map[string][]stubReply{tc.kind: {stubOK(tc.data)}})
			err := tc.call(c)
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, " "+tc.field+" ") {
				t.Errorf("got %v, want one that names %s", err, tc.field)
			}
		})
	}
	t.Run("what is null or unknown does not matter", func(t *testing.T) {
		t.Parallel()
		c, _, _ := stubbed(t, map[string][]stubReply{stubDetail: {stubOK(`{"tenantId":"` + stubID + `","primaryHost":"a.example","owner":null,"createdAt":null,"memberCount":null,"assignment":null,"domainSetup":null,"new":{"a":[1]}}`)}})
		if l, err := c.GetPrivateLabel(ctx, stubID); err != nil || l.Owner != nil || l.CreatedAt != nil {
			t.Errorf("got %+v, %v", l, err)
		}
	})
}

func TestPathsAreClosed(t *testing.T) {
	t.Parallel()
	c, s, _ := stubbed(t, nil)
	for _, id := range []string{"", "..", "a/b", strings.ToUpper(stubID), stubID + "0", stubID[:31], stubID + "\n", "../" + stubID} {
		if _, err := c.GetPrivateLabel(t.Context(), id); err == nil || IsUnknownOutcome(err) {
			t.Errorf("%q: got %v", id, err)
		}
	}
	if len(s.calls()) != 0 {
		t.Errorf("calls %v", s.calls())
	}
	for slug, want := range map[string]string{"a.example": "/console/a.example/reseller/private-labels", "a/../b?x#y": "/console/a%2F..%2Fb%3Fx%23y/reseller/private-labels", "..": "", ".": "", "": ""} {
		if got, err := routeListLabels.fill(slug, nil); got != want || (want == "") != (err != nil) {
			t.Errorf("%q: got %q, %v", slug, got, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"https://api.example": true, "https://api.example/": true, "https://api.example/folder": true, "http://127.0.0.1:8080": true,
		"": false, "api.example": false, "ftp://api.example": false, "https://user:password@api.example": false, "https://api.example?x=1": false, "https://api.example#x": false, "https://": false,
	} {
		_, err := New(Config{BaseURL: address, APIKey: stubKey})
		if (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "password") {
			t.Errorf("%v shows a password", err)
		}
	}
}

// An exchange that fails half-way must not show the token it was to bring.
func TestHalfAnExchangeShowsNoToken(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &log)
	c, _, _ := stubbed(t, map[string][]stubReply{stubExchange: {{status: http.StatusOK, body: `{"access_token":"a-real-token-that-nobody-knows-yet","expi`}}}, stubWithKey(""))
	_, _, _, err := c.AccessToken(ctx)
	if err == nil || strings.Contains(err.Error()+log.String(), "a-real-token") {
		t.Errorf("got %v\n%s", err, log.String())
	}
}
