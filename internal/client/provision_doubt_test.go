package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

// Every way in which an answer to the POST can be lost, against every thing that
// reading can show.
func TestProvisionWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	lost := map[string]transporttest.StubReply{
		"500":                   transporttest.StubErr(http.StatusInternalServerError, CodeInternal),
		"Fail with 200":         {Status: http.StatusOK, Body: `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":""}}`},
		"reset":                 {Err: syscall.ECONNRESET},
		"time-out":              {Err: context.DeadlineExceeded},
		"broken off":            {Err: io.ErrUnexpectedEOF},
		"HTML 502":              {Status: http.StatusBadGateway, Body: "<html>bad gateway</html>"},
		"HTML 403 of a proxy":   {Status: http.StatusForbidden, Body: "<html>denied</html>"},
		"a captive page":        {Status: http.StatusOK, Body: "<html>sign in</html>"},
		"empty":                 {Status: http.StatusOK},
		"no tenantId":           transporttest.StubOK(`{"ownerUserId":"u"}`),
		"no data":               {Status: http.StatusOK, Body: `{"status":"OK"}`},
		"half of the JSON":      {Status: http.StatusOK, Body: transporttest.StubOK(transporttest.StubMade).Body[:40]},
		"a redirect":            {Status: http.StatusSeeOther, Header: http.Header{"Location": {"https://elsewhere.example/x"}}},
		"data of another shape": transporttest.StubOK(`[1]`),
	}
	for name, first := range lost {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("it was made", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: {first}, transporttest.StubList: {transporttest.StubOK(transporttest.StubNoLabels), transporttest.StubOK(transporttest.StubOneLabel)}, transporttest.StubDetail: {transporttest.StubOK(transporttest.StubTheDetail)}})
				made, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if err != nil || !made.ResponseLost || made.TenantID != transporttest.StubID || made.OwnerUserID != "u" || !made.DomainSetup.Attached {
					t.Errorf("got %+v, %v", made, err)
				}
				if s.Count(transporttest.StubProvision) != 1 {
					t.Errorf("calls %v", s.Calls())
				}
			})
			t.Run("it was not made", func(t *testing.T) {
				t.Parallel()
				c, s, clock := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: {first, transporttest.StubOK(transporttest.StubMade)}, transporttest.StubList: {transporttest.StubOK(transporttest.StubNoLabels)}})
				made, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if err != nil || made.ResponseLost || made.TenantID != transporttest.StubID {
					t.Errorf("got %+v, %v", made, err)
				}
				if want := []string{transporttest.StubProvision, transporttest.StubList, transporttest.StubList, transporttest.StubProvision}; !slices.Equal(s.Calls(), want) {
					t.Errorf("calls %v, want %v", s.Calls(), want)
				}
				if clock.Slept() != transport.ReconcileInterval {
					t.Errorf("slept %s between the two looks, want %s", clock.Slept(), transport.ReconcileInterval)
				}
			})
			t.Run("somebody else has the host", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]transporttest.StubReply{
					transporttest.StubProvision: {first}, transporttest.StubList: {transporttest.StubOK(transporttest.StubOneLabel)},
					transporttest.StubDetail: {transporttest.StubOK(strings.ReplaceAll(transporttest.StubTheDetail, "ADA@", "eve@"))},
				})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !transport.IsUnknownOutcome(err) || !strings.Contains(err.Error(), "eve@stub.example") || s.Count(transporttest.StubProvision) != 1 {
					t.Errorf("got %v after %v", err, s.Calls())
				}
			})
			t.Run("the list fails, too", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: {first}, transporttest.StubList: {transporttest.StubErr(http.StatusInternalServerError, CodeInternal)}})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !transport.IsUnknownOutcome(err) || s.Count(transporttest.StubProvision) != 1 {
					t.Errorf("got %v after %v", err, s.Calls())
				}
			})
			t.Run("the list has no labels in it", func(t *testing.T) {
				t.Parallel()
				// Taken for an empty list, it would provision a second time.
				c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: {first}, transporttest.StubList: {transporttest.StubOK(`{"items":[]}`)}})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !transport.IsUnknownOutcome(err) || s.Count(transporttest.StubProvision) != 1 {
					t.Errorf("got %v after %v", err, s.Calls())
				}
			})
			t.Run("lost twice", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: {first}, transporttest.StubList: {transporttest.StubOK(transporttest.StubNoLabels)}})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !transport.IsUnknownOutcome(err) || s.Count(transporttest.StubProvision) != 2 || s.Count(transporttest.StubList) != 4 {
					t.Errorf("got %v after %v", err, s.Calls())
				}
			})
		})
	}
}

func TestProvisionWhenTheHostIsTaken(t *testing.T) {
	t.Parallel()
	lost, taken := transporttest.StubErr(http.StatusInternalServerError, CodeInternal), transporttest.StubErr(http.StatusBadRequest, CodeHostTaken)
	for _, tc := range []struct {
		name      string
		posts     []transporttest.StubReply
		lists     []transporttest.StubReply
		adopted   bool
		wantDoubt bool
		wantPosts int
	}{
		{"at once: a plain refusal", []transporttest.StubReply{taken}, nil, false, false, 1},
		{"on the second try, and it is ours", []transporttest.StubReply{lost, taken}, []transporttest.StubReply{transporttest.StubOK(transporttest.StubNoLabels), transporttest.StubOK(transporttest.StubNoLabels), transporttest.StubOK(transporttest.StubOneLabel)}, true, false, 2},
		{"on the second try, and no list shows it", []transporttest.StubReply{lost, taken}, []transporttest.StubReply{transporttest.StubOK(transporttest.StubNoLabels)}, false, true, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: tc.posts, transporttest.StubList: tc.lists, transporttest.StubDetail: {transporttest.StubOK(transporttest.StubTheDetail)}})
			made, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
			if tc.adopted != (err == nil && made.ResponseLost) || tc.wantDoubt != transport.IsUnknownOutcome(err) {
				t.Errorf("got %+v, %v", made, err)
			}
			if !tc.adopted && !transport.IsCode(err, CodeHostTaken) {
				t.Errorf("%v does not carry the code", err)
			}
			if s.Count(transporttest.StubProvision) != tc.wantPosts {
				t.Errorf("calls %v", s.Calls())
			}
		})
	}
}

// A run that is canceled while the POST is under way still learns what it made.
func TestProvisionCancelledWhileUnderWay(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]transporttest.StubReply{"answered": transporttest.StubOK(transporttest.StubMade), "lost": {Err: syscall.ECONNRESET}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			after.Before = cancel
			c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubProvision: {after}, transporttest.StubList: {transporttest.StubOK(transporttest.StubOneLabel)}, transporttest.StubDetail: {transporttest.StubOK(transporttest.StubTheDetail)}})
			made, err := c.ProvisionPrivateLabel(ctx, stubRequest())
			if err != nil || made.TenantID != transporttest.StubID {
				t.Errorf("got %+v, %v after %v", made, err, s.Calls())
			}
		})
	}
	t.Run("before it is sent", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, s, _ := stubbed(t, nil)
		if _, err := c.ProvisionPrivateLabel(ctx, stubRequest()); !errors.Is(err, context.Canceled) || transport.IsUnknownOutcome(err) || len(s.Calls()) != 0 {
			t.Errorf("got %v after %v", err, s.Calls())
		}
	})
}

func TestDeprovisionWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	gone, there := transporttest.StubOK(transporttest.StubNoLabels), transporttest.StubOK(transporttest.StubOneLabel)
	done := transporttest.StubOK(`{"status":"deprovisioned"}`)
	failed := transporttest.StubErr(http.StatusInternalServerError, CodeInternal)
	forbidden := transporttest.StubErr(http.StatusForbidden, CodeForbidden)
	for _, tc := range []struct {
		name       string
		deletes    []transporttest.StubReply
		lists      []transporttest.StubReply
		lost       bool
		wantCode   string
		wantDoubt  bool
		wantDelete int
	}{
		{"answered", []transporttest.StubReply{done}, nil, false, "", false, 1},
		{"lost, and gone", []transporttest.StubReply{failed}, []transporttest.StubReply{gone}, true, "", false, 1},
		{"lost, gone a moment later", []transporttest.StubReply{failed}, []transporttest.StubReply{there, gone}, true, "", false, 1},
		{"lost, and still there", []transporttest.StubReply{failed, done}, []transporttest.StubReply{there}, false, "", false, 2},
		{"lost, and the second try finds it gone", []transporttest.StubReply{failed, forbidden}, []transporttest.StubReply{there, there, gone}, true, "", false, 2},
		{"lost, and the second try is forbidden", []transporttest.StubReply{failed, forbidden}, []transporttest.StubReply{there}, false, CodeForbidden, false, 2},
		{"lost twice", []transporttest.StubReply{failed}, []transporttest.StubReply{there}, false, CodeInternal, true, 2},
		{"lost, and the list fails", []transporttest.StubReply{failed}, []transporttest.StubReply{failed}, false, CodeInternal, true, 1},
		{"forbidden proves nothing", []transporttest.StubReply{forbidden}, []transporttest.StubReply{gone}, false, CodeForbidden, false, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, s, _ := stubbed(t, map[string][]transporttest.StubReply{transporttest.StubDelete: tc.deletes, transporttest.StubList: tc.lists})
			lost, err := c.DeprovisionPrivateLabel(t.Context(), transporttest.StubID)
			if lost != tc.lost || tc.wantDoubt != transport.IsUnknownOutcome(err) || (tc.wantCode == "") != (err == nil) || tc.wantCode != "" && !transport.IsCode(err, tc.wantCode) {
				t.Errorf("got %t, %v", lost, err)
			}
			if s.Count(transporttest.StubDelete) != tc.wantDelete {
				t.Errorf("calls %v", s.Calls())
			}
		})
	}
}
