package transport

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport/transporttest"
)

func TestReconcile_WaitsBetweenReads(t *testing.T) {
	t.Parallel()
	clock := transporttest.NewClock()
	reads := 0
	_, lost, err := Reconcile(t.Context(), clock, ReconciledOperation[int]{
		Op: "do", Subject: "it",
		Execute: func(context.Context) (int, error) { return 0, io.ErrUnexpectedEOF },
		Check: func(context.Context) (int, Outcome, string, error) {
			reads++
			if reads == 4 {
				return 7, OutcomeApplied, "", nil
			}
			return 0, OutcomeAbsent, "", nil
		},
	})
	if err != nil || !lost || clock.Slept() != 2*ReconcileInterval {
		t.Errorf("slept %s: %v, %v", clock.Slept(), lost, err)
	}
}

func TestReconcile_SkipsKnownOutcomes(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{
		nil, &Error{Status: 400, Code: "INVALID_REQUEST"}, &notSentError{io.EOF}, &RateLimitError{},
		&Error{Status: 401, unreadable: true}, &Error{Status: 429, unreadable: true},
	} {
		executed := 0
		_, lost, err := Reconcile(t.Context(), transporttest.NewClock(), ReconciledOperation[int]{
			Execute: func(context.Context) (int, error) { executed++; return 7, failure },
			Check: func(context.Context) (int, Outcome, string, error) {
				t.Errorf("%v: checked", failure)
				return 0, OutcomeAbsent, "", nil
			},
		})
		if executed != 1 || lost || !errors.Is(err, failure) {
			t.Errorf("%v: executed %d times, %v", failure, executed, err)
		}
	}
}

func TestRealClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := RealClock{}.Now()
		if err := (RealClock{}).Sleep(t.Context(), time.Minute); err != nil || time.Since(start) != time.Minute {
			t.Errorf("slept %s: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := (RealClock{}).Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 61*time.Second {
			t.Errorf("slept %s: %v", time.Since(start), err)
		}
	})
}
