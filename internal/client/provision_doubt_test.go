package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Rows of the list: case is ignored in host names and email addresses.
const (
	listed   = `{"privateLabels":[{"tenantId":"` + transporttest.ID + `","primaryHost":"SIGN.customer.example"}],"provisionedCount":1,"period":"2026-10"}`
	detailed = `{"tenantId":"` + transporttest.ID + `","primaryHost":"` + transporttest.Host + `",` +
		`"owner":{"userId":"` + transporttest.OwnerID + `","email":"OWNER@customer.example"},"domainSetup":{"attached":true}}`
)

// Each way in which the response to the POST can be lost, with each result of a read.
func TestProvision_ResponseLost(t *testing.T) {
	t.Parallel()
	lost := map[string]transporttest.Answer{
		"500":                   transporttest.Reject(http.StatusInternalServerError, CodeInternal),
		"Fail with 200":         transporttest.Reply(http.StatusOK, `{"status":"Fail","error":{"code":"INTERNAL_SERVER_ERROR","message":""}}`),
		"reset":                 transporttest.Fail(syscall.ECONNRESET),
		"time-out":              transporttest.Fail(context.DeadlineExceeded),
		"broken off":            transporttest.Fail(io.ErrUnexpectedEOF),
		"HTML 502":              transporttest.HTML(http.StatusBadGateway),
		"HTML 403 of a proxy":   transporttest.HTML(http.StatusForbidden),
		"a captive page":        transporttest.HTML(http.StatusOK),
		"empty":                 transporttest.Reply(http.StatusOK, ""),
		"no tenantId":           transporttest.OK(`{"ownerUserId":"u"}`),
		"no data":               transporttest.Reply(http.StatusOK, `{"status":"OK"}`),
		"half of the JSON":      transporttest.Reply(http.StatusOK, `{"status":"OK","data":{"tenantId":"00112233`),
		"a redirect":            transporttest.Reply(http.StatusSeeOther, "", "Location", "https://elsewhere.example/x"),
		"data of another shape": transporttest.OK(`[1]`),
	}
	for name, first := range lost {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Run("it was made", func(t *testing.T) {
				t.Parallel()
				s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: {first}, transporttest.ReqList: {transporttest.OK(transporttest.NoLabels), transporttest.OK(listed)}, transporttest.ReqDetail: {transporttest.OK(detailed)}})
				c, _ := dial(t, s)
				provisioned := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
				err := provisioned.Err
				if err != nil || !provisioned.ResponseLost || provisioned.Value.TenantID != transporttest.ID || provisioned.Value.OwnerUserID != transporttest.OwnerID || !provisioned.Value.DomainSetup.Attached {
					t.Errorf("got %+v, %v", provisioned, err)
				}
				assert.Equal(t, 1, s.Count(transporttest.ReqProvision), "calls %v", s.Calls())
			})
			t.Run("it was not made", func(t *testing.T) {
				t.Parallel()
				s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: {first, transporttest.OK(transporttest.Provisioned)}, transporttest.ReqList: {transporttest.OK(transporttest.NoLabels)}})
				c, clock := dial(t, s)
				provisioned := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
				err := provisioned.Err
				require.NoError(t, err, "got %+v", provisioned)
				assert.False(t, provisioned.ResponseLost, "got %+v, %v", provisioned, err)
				assert.Equal(t, transporttest.ID, provisioned.Value.TenantID, "got %+v", provisioned)
				assert.Equal(t, []string{transporttest.ReqProvision, transporttest.ReqList, transporttest.ReqList, transporttest.ReqProvision}, s.Calls())
				assert.Equal(t, transport.ReconcileInterval, clock.Slept(), "slept between the two looks")
			})
			t.Run("another user has the host name", func(t *testing.T) {
				t.Parallel()
				s := transporttest.Serve(t, transporttest.Replies{
					transporttest.ReqProvision: {first}, transporttest.ReqList: {transporttest.OK(listed)},
					transporttest.ReqDetail: {transporttest.OK(strings.ReplaceAll(detailed, "OWNER@", "eve@"))},
				})
				c, _ := dial(t, s)
				err := c.ProvisionPrivateLabel(t.Context(), provisionRequest()).Err
				assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, s.Calls())
				assert.Contains(t, err.Error(), "eve@customer.example", "got %v after %v", err, s.Calls())
				assert.Equal(t, 1, s.Count(transporttest.ReqProvision), "got %v after %v", err, s.Calls())
			})
			t.Run("the list fails, too", func(t *testing.T) {
				t.Parallel()
				s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: {first}, transporttest.ReqList: {transporttest.Reject(http.StatusInternalServerError, CodeInternal)}})
				c, _ := dial(t, s)
				err := c.ProvisionPrivateLabel(t.Context(), provisionRequest()).Err
				assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, s.Calls())
				assert.Equal(t, 1, s.Count(transporttest.ReqProvision), "got %v after %v", err, s.Calls())
			})
			t.Run("the list has no labels in it", func(t *testing.T) {
				t.Parallel()
				// Read as an empty list, it would cause a second provisioning.
				s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: {first}, transporttest.ReqList: {transporttest.OK(`{"items":[]}`)}})
				c, _ := dial(t, s)
				err := c.ProvisionPrivateLabel(t.Context(), provisionRequest()).Err
				assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, s.Calls())
				assert.Equal(t, 1, s.Count(transporttest.ReqProvision), "got %v after %v", err, s.Calls())
			})
			t.Run("lost twice", func(t *testing.T) {
				t.Parallel()
				s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: {first}, transporttest.ReqList: {transporttest.OK(transporttest.NoLabels)}})
				c, _ := dial(t, s)
				err := c.ProvisionPrivateLabel(t.Context(), provisionRequest()).Err
				assert.True(t, transport.IsUnknownOutcome(err), "got %v after %v", err, s.Calls())
				assert.Equal(t, 2, s.Count(transporttest.ReqProvision), "got %v after %v", err, s.Calls())
				assert.Equal(t, 4, s.Count(transporttest.ReqList), "got %v after %v", err, s.Calls())
			})
		})
	}
}

func TestProvision_HostTaken(t *testing.T) {
	t.Parallel()
	lost, taken := transporttest.Reject(http.StatusInternalServerError, CodeInternal), transporttest.Reject(http.StatusBadRequest, CodeHostTaken)
	for _, tc := range []struct {
		name      string
		posts     []transporttest.Answer
		lists     []transporttest.Answer
		adopted   bool
		wantDoubt bool
		wantPosts int
	}{
		{"immediately: an API error", []transporttest.Answer{taken}, nil, false, false, 1},
		{"on the second try, and it is ours", []transporttest.Answer{lost, taken}, []transporttest.Answer{transporttest.OK(transporttest.NoLabels), transporttest.OK(transporttest.NoLabels), transporttest.OK(listed)}, true, false, 2},
		{"on the second try, and no list shows it", []transporttest.Answer{lost, taken}, []transporttest.Answer{transporttest.OK(transporttest.NoLabels)}, false, true, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: tc.posts, transporttest.ReqList: tc.lists, transporttest.ReqDetail: {transporttest.OK(detailed)}})
			c, _ := dial(t, s)
			provisioned := c.ProvisionPrivateLabel(t.Context(), provisionRequest())
			err := provisioned.Err
			assert.Equal(t, tc.adopted, err == nil && provisioned.ResponseLost, "got %+v, %v", provisioned, err)
			assert.Equal(t, tc.wantDoubt, transport.IsUnknownOutcome(err), "got %+v, %v", provisioned, err)
			if !tc.adopted && !transport.IsCode(err, CodeHostTaken) {
				t.Errorf("%v does not carry the code", err)
			}
			assert.Equal(t, tc.wantPosts, s.Count(transporttest.ReqProvision), "calls %v", s.Calls())
		})
	}
}

// A run that is canceled during the POST still reads its outcome.
func TestProvision_CanceledInFlight(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]transporttest.Answer{"answered": transporttest.OK(transporttest.Provisioned), "lost": transporttest.Fail(syscall.ECONNRESET)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqProvision: {transporttest.After(cancel, answer)}, transporttest.ReqList: {transporttest.OK(listed)}, transporttest.ReqDetail: {transporttest.OK(detailed)}})
			c, _ := dial(t, s)
			provisioned := c.ProvisionPrivateLabel(ctx, provisionRequest())
			err := provisioned.Err
			require.NoError(t, err, "got %+v, after %v", provisioned, s.Calls())
			assert.Equal(t, transporttest.ID, provisioned.Value.TenantID, "got %+v, after %v", provisioned, s.Calls())
		})
	}
	t.Run("before it is sent", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := transporttest.Serve(t, nil)
		c, _ := dial(t, s)
		if err := c.ProvisionPrivateLabel(ctx, provisionRequest()).Err; !errors.Is(err, context.Canceled) || transport.IsUnknownOutcome(err) || len(s.Calls()) != 0 {
			t.Errorf("got %v after %v", err, s.Calls())
		}
	})
}

func TestDeprovision_ResponseLost(t *testing.T) {
	t.Parallel()
	gone, there := transporttest.OK(transporttest.NoLabels), transporttest.OK(listed)
	done := transporttest.OK(`{"status":"deprovisioned"}`)
	failed := transporttest.Reject(http.StatusInternalServerError, CodeInternal)
	forbidden := transporttest.Reject(http.StatusForbidden, CodeForbidden)
	for _, tc := range []struct {
		name       string
		deletes    []transporttest.Answer
		lists      []transporttest.Answer
		lost       bool
		wantCode   string
		wantDoubt  bool
		wantDelete int
	}{
		{"answered", []transporttest.Answer{done}, []transporttest.Answer{gone}, false, "", false, 1},
		{"lost, and gone", []transporttest.Answer{failed}, []transporttest.Answer{gone}, true, "", false, 1},
		{"lost, gone a moment later", []transporttest.Answer{failed}, []transporttest.Answer{there, gone}, true, "", false, 1},
		{"lost, and still there", []transporttest.Answer{failed, done}, []transporttest.Answer{there, there, gone}, false, "", false, 2},
		{"lost, and the second try finds it gone", []transporttest.Answer{failed, forbidden}, []transporttest.Answer{there, there, gone}, true, "", false, 2},
		{"lost, and the second try is forbidden", []transporttest.Answer{failed, forbidden}, []transporttest.Answer{there}, false, CodeForbidden, false, 2},
		{"lost twice", []transporttest.Answer{failed}, []transporttest.Answer{there}, false, CodeInternal, true, 2},
		{"lost, and the list fails", []transporttest.Answer{failed}, []transporttest.Answer{failed}, false, CodeInternal, true, 1},
		{"forbidden proves nothing", []transporttest.Answer{forbidden}, []transporttest.Answer{there}, false, CodeForbidden, false, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := transporttest.Serve(t, transporttest.Replies{transporttest.ReqDelete: tc.deletes, transporttest.ReqList: tc.lists, transporttest.ReqDetail: {forbidden}})
			c, _ := dial(t, s)
			out := c.DeprovisionPrivateLabel(t.Context(), transporttest.ID)
			lost, err := out.State == transport.Applied && out.ResponseLost, out.Err
			if lost != tc.lost || tc.wantDoubt != transport.IsUnknownOutcome(err) || (tc.wantCode == "") != (err == nil) || tc.wantCode != "" && !transport.IsCode(err, tc.wantCode) {
				t.Errorf("got %t, %v", lost, err)
			}
			assert.Equal(t, tc.wantDelete, s.Count(transporttest.ReqDelete), "calls %v", s.Calls())
		})
	}
}
