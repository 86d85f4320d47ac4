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
)

// Every way in which an answer to the POST can be lost, against every thing that
// reading can show.
func TestProvisionWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	lost := map[string]stubReply{
		"500":                   stubErr(http.StatusInternalServerError, CodeInternal),
		"Fail with 200":         {status: http.StatusOK, body: `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":""}}`},
		"reset":                 {err: syscall.ECONNRESET},
		"time-out":              {err: context.DeadlineExceeded},
		"broken off":            {err: io.ErrUnexpectedEOF},
		"HTML 502":              {status: http.StatusBadGateway, body: "<html>bad gateway</html>"},
		"HTML 403 of a proxy":   {status: http.StatusForbidden, body: "<html>denied</html>"},
		"a captive page":        {status: http.StatusOK, body: "<html>sign in</html>"},
		"empty":                 {status: http.StatusOK},
		"no tenantId":           stubOK(`{"ownerUserId":"u"}`),
		"no data":               {status: http.StatusOK, body: `{"status":"OK"}`},
		"half of the JSON":      {status: http.StatusOK, body: stubOK(stubMade).body[:40]},
		"a redirect":            {status: http.StatusSeeOther, header: http.Header{"Location": {"https://elsewhere.example/x"}}},
		"data of another shape": stubOK(`[1]`),
	}
	for name, first := range lost {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("it was made", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]stubReply{stubProvision: {first}, stubList: {stubOK(stubNoLabels), stubOK(stubOneLabel)}, stubDetail: {stubOK(stubTheDetail)}})
				made, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if err != nil || !made.AnswerLost || made.TenantID != stubID || made.OwnerUserID != "u" || !made.DomainSetup.Attached {
					t.Errorf("got %+v, %v", made, err)
				}
				if s.count(stubProvision) != 1 {
					t.Errorf("calls %v", s.calls())
				}
			})
			t.Run("it was not made", func(t *testing.T) {
				t.Parallel()
				c, s, clock := stubbed(t, map[string][]stubReply{stubProvision: {first, stubOK(stubMade)}, stubList: {stubOK(stubNoLabels)}})
				made, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if err != nil || made.AnswerLost || made.TenantID != stubID {
					t.Errorf("got %+v, %v", made, err)
				}
				if want := []string{stubProvision, stubList, stubList, stubProvision}; !slices.Equal(s.calls(), want) {
					t.Errorf("calls %v, want %v", s.calls(), want)
				}
				if clock.slept() != ReconcileInterval {
					t.Errorf("slept %s between the two looks, want %s", clock.slept(), ReconcileInterval)
				}
			})
			t.Run("somebody else has the host", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]stubReply{
					stubProvision: {first}, stubList: {stubOK(stubOneLabel)},
					stubDetail: {stubOK(strings.ReplaceAll(stubTheDetail, "ADA@", "eve@"))},
				})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !IsUnknownOutcome(err) || !strings.Contains(err.Error(), "eve@stub.example") || s.count(stubProvision) != 1 {
					t.Errorf("got %v after %v", err, s.calls())
				}
			})
			t.Run("the list fails, too", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]stubReply{stubProvision: {first}, stubList: {stubErr(http.StatusInternalServerError, CodeInternal)}})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !IsUnknownOutcome(err) || s.count(stubProvision) != 1 {
					t.Errorf("got %v after %v", err, s.calls())
				}
			})
			t.Run("the list has no labels in it", func(t *testing.T) {
				t.Parallel()
				// Taken for an empty list, it would provision a second time.
				c, s, _ := stubbed(t, map[string][]stubReply{stubProvision: {first}, stubList: {stubOK(`{"items":[]}`)}})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !IsUnknownOutcome(err) || s.count(stubProvision) != 1 {
					t.Errorf("got %v after %v", err, s.calls())
				}
			})
			t.Run("lost twice", func(t *testing.T) {
				t.Parallel()
				c, s, _ := stubbed(t, map[string][]stubReply{stubProvision: {first}, stubList: {stubOK(stubNoLabels)}})
				_, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
				if !IsUnknownOutcome(err) || s.count(stubProvision) != 2 || s.count(stubList) != 4 {
					t.Errorf("got %v after %v", err, s.calls())
				}
			})
		})
	}
}

func TestProvisionWhenTheHostIsTaken(t *testing.T) {
	t.Parallel()
	lost, taken := stubErr(http.StatusInternalServerError, CodeInternal), stubErr(http.StatusBadRequest, CodeHostTaken)
	for _, tc := range []struct {
		name      string
		posts     []stubReply
		lists     []stubReply
		adopted   bool
		wantDoubt bool
		wantPosts int
	}{
		{"at once: a plain refusal", []stubReply{taken}, nil, false, false, 1},
		{"on the second try, and it is ours", []stubReply{lost, taken}, []stubReply{stubOK(stubNoLabels), stubOK(stubNoLabels), stubOK(stubOneLabel)}, true, false, 2},
		{"on the second try, and no list shows it", []stubReply{lost, taken}, []stubReply{stubOK(stubNoLabels)}, false, true, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, s, _ := stubbed(t, map[string][]stubReply{stubProvision: tc.posts, stubList: tc.lists, stubDetail: {stubOK(stubTheDetail)}})
			made, err := c.ProvisionPrivateLabel(t.Context(), stubRequest())
			if tc.adopted != (err == nil && made.AnswerLost) || tc.wantDoubt != IsUnknownOutcome(err) {
				t.Errorf("got %+v, %v", made, err)
			}
			if !tc.adopted && !IsCode(err, CodeHostTaken) {
				t.Errorf("%v does not carry the code", err)
			}
			if s.count(stubProvision) != tc.wantPosts {
				t.Errorf("calls %v", s.calls())
			}
		})
	}
}

// A run that is cancelled while the POST is under way still learns what it made.
func TestProvisionCancelledWhileUnderWay(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]stubReply{"answered": stubOK(stubMade), "lost": {err: syscall.ECONNRESET}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			after.before = cancel
			c, s, _ := stubbed(t, map[string][]stubReply{stubProvision: {after}, stubList: {stubOK(stubOneLabel)}, stubDetail: {stubOK(stubTheDetail)}})
			made, err := c.ProvisionPrivateLabel(ctx, stubRequest())
			if err != nil || made.TenantID != stubID {
				t.Errorf("got %+v, %v after %v", made, err, s.calls())
			}
		})
	}
	t.Run("before it is sent", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, s, _ := stubbed(t, nil)
		if _, err := c.ProvisionPrivateLabel(ctx, stubRequest()); !errors.Is(err, context.Canceled) || IsUnknownOutcome(err) || len(s.calls()) != 0 {
			t.Errorf("got %v after %v", err, s.calls())
		}
	})
}

func TestDeprovisionWhenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	gone, there := stubOK(stubNoLabels), stubOK(stubOneLabel)
	done := stubOK(`{"status":"deprovisioned"}`)
	failed := stubErr(http.StatusInternalServerError, CodeInternal)
	forbidden := stubErr(http.StatusForbidden, CodeForbidden)
	for _, tc := range []struct {
		name       string
		deletes    []stubReply
		lists      []stubReply
		lost       bool
		wantCode   string
		wantDoubt  bool
		wantDelete int
	}{
		{"answered", []stubReply{done}, nil, false, "", false, 1},
		{"lost, and gone", []stubReply{failed}, []stubReply{gone}, true, "", false, 1},
		{"lost, gone a moment later", []stubReply{failed}, []stubReply{there, gone}, true, "", false, 1},
		{"lost, and still there", []stubReply{failed, done}, []stubReply{there}, false, "", false, 2},
		{"lost, and the second try finds it gone", []stubReply{failed, forbidden}, []stubReply{there, there, gone}, true, "", false, 2},
		{"lost, and the second try is forbidden", []stubReply{failed, forbidden}, []stubReply{there}, false, CodeForbidden, false, 2},
		{"lost twice", []stubReply{failed}, []stubReply{there}, false, CodeInternal, true, 2},
		{"lost, and the list fails", []stubReply{failed}, []stubReply{failed}, false, CodeInternal, true, 1},
		{"forbidden proves nothing", []stubReply{forbidden}, []stubReply{gone}, false, CodeForbidden, false, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c, s, _ := stubbed(t, map[string][]stubReply{stubDelete: tc.deletes, stubList: tc.lists})
			lost, err := c.DeprovisionPrivateLabel(t.Context(), stubID)
			if lost != tc.lost || tc.wantDoubt != IsUnknownOutcome(err) || (tc.wantCode == "") != (err == nil) || tc.wantCode != "" && !IsCode(err, tc.wantCode) {
				t.Errorf("got %t, %v", lost, err)
			}
			if s.count(stubDelete) != tc.wantDelete {
				t.Errorf("calls %v", s.calls())
			}
		})
	}
}
