package client

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
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
		{"list", transporttest.StubList, `{}`, "privateLabels", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"list null", transporttest.StubList, `null`, "privateLabels", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"list item", transporttest.StubList, `{"privateLabels":[{"primaryHost":"a.example"}]}`, "privateLabels[0].tenantId", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"list host", transporttest.StubList, `{"privateLabels":[{"tenantId":"` + transporttest.StubID + `"}]}`, "privateLabels[0].primaryHost", func(c *Client) error { _, err := c.ListPrivateLabels(ctx, ""); return err }},
		{"detail", transporttest.StubDetail, `{}`, "tenantId", func(c *Client) error { _, err := c.GetPrivateLabel(ctx, transporttest.StubID); return err }},
		{"suspend", "POST suspend", `{}`, "status", func(c *Client) error { _, err := c.SuspendPrivateLabel(ctx, transporttest.StubID, ""); return err }},
		{"unsuspend", "POST unsuspend", `{}`, "status", func(c *Client) error { _, err := c.UnsuspendPrivateLabel(ctx, transporttest.StubID); return err }},
		{"attach", "POST attach", `{}`, "domainSetup", func(c *Client) error { _, err := c.AttachDomain(ctx, transporttest.StubID); return err }},
		{"templates", "GET templates", `{}`, "templates", func(c *Client) error { _, err := c.ListTemplates(ctx, transporttest.StubID); return err }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, _, _ := stubbed(t, map[string][]transporttest.StubReply{tc.kind: {transporttest.StubOK(tc.data)}})
			err := tc.call(c)
			var e *transport.Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, " "+tc.field+" ") {
				t.Errorf("got %v, want one that names %s", err, tc.field)
			}
		})
	}
	t.Run("what is null or unknown does not matter", func(t *testing.T) {
		t.Parallel()
		c, _, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubDetail: {transporttest.StubOK(`{"tenantId":"` + transporttest.StubID + `","primaryHost":"a.example","owner":null,"createdAt":null,"memberCount":null,"assignment":null,"domainSetup":null,"new":{"a":[1]}}`)}})
		if l, err := c.GetPrivateLabel(ctx, transporttest.StubID); err != nil || l.Owner != nil || l.CreatedAt != nil {
			t.Errorf("got %+v, %v", l, err)
		}
	})
}

func TestPathsAreClosed(t *testing.T) {
	t.Parallel()
	c, s, _ := stubbed(t, nil)
	for _, id := range []string{"", "..", "a/b", strings.ToUpper(transporttest.StubID), transporttest.StubID + "0", transporttest.StubID[:31], transporttest.StubID + "\n", "../" + transporttest.StubID} {
		if _, err := c.GetPrivateLabel(t.Context(), id); err == nil || transport.IsUnknownOutcome(err) {
			t.Errorf("%q: got %v", id, err)
		}
	}
	if len(s.Calls()) != 0 {
		t.Errorf("calls %v", s.Calls())
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
		_, err := New(Config{BaseURL: address, APIKey: transporttest.StubKey})
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
	c, _, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubExchange: {{Status: http.StatusOK, Body: `{"access_token":"a-real-token-that-nobody-knows-yet","expi`}}}, stubWithKey(""))
	_, _, _, err := c.AccessToken(ctx)
	if err == nil || strings.Contains(err.Error()+log.String(), "a-real-token") {
		t.Errorf("got %v\n%s", err, log.String())
	}
}
