package transport

import (
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

var errRejected = &Error{Status: 400, Code: "ALREADY_DONE"}

// play sends a write that gets these errors in turn, and reads these sights in turn; the last of each stays.
func play(ctx context.Context, p Patience, w Write, answers []error, sights ...any) (o Outcome, sent, read int) {
	w.Op, w.Subject = "do", "it"
	w.IsConflict = func(err error) bool { return IsCode(err, "ALREADY_DONE") }
	w.Send = func(context.Context) Outcome {
		err := answers[min(sent, len(answers)-1)]
		sent++
		return OutcomeOf(w.Op, w.Subject, false, err)
	}
	w.Read = func(ctx context.Context) (Outcome, error) {
		if ctx.Err() != nil {
			return Outcome{}, ctx.Err()
		}
		seen := sights[min(read, len(sights)-1)]
		read++
		if err, failed := seen.(error); failed {
			return Outcome{}, err
		}
		return Outcome{State: seen.(State), Seen: "It is another one."}, nil
	}
	return Settle(ctx, p, w), sent, read
}

// Only a read that was completed makes an outcome of a doubtful write, and a second one if the first does not show it. The
// patience allows one more read.
func TestSettle(t *testing.T) {
	t.Parallel()
	limit := &RateLimitError{Limit: "console"}
	proven, resent := Write{Proven: true}, Write{Resend: true}
	provenAndResent := Write{Proven: true, Resend: true}
	for name, tc := range map[string]struct {
		write      Write
		answers    []error
		sights     []any
		want       State
		sent, read int
		reason     Reason
	}{
		"accepted":                           {resent, []error{nil}, []any{Absent}, Applied, 1, 0, ""},
		"rejected":                           {resent, []error{&Error{Status: 400, Code: "INVALID_REQUEST"}}, []any{Absent}, Absent, 1, 0, ""},
		"rejected as done":                   {resent, []error{errRejected}, []any{Applied}, Absent, 1, 0, ""},
		"not sent":                           {resent, []error{NotSent(io.EOF)}, []any{Absent}, Absent, 1, 0, ""},
		"rate limit":                         {resent, []error{limit}, []any{Absent}, Absent, 1, 0, ""},
		"rate limit after a lost attempt":    {Write{}, []error{&effectError{err: limit, may: true}}, []any{Absent}, Unknown, 1, 2, ReasonAbsent},
		"lost, in effect":                    {resent, []error{io.EOF}, []any{Applied}, Applied, 1, 1, ""},
		"lost, in effect at the second read": {resent, []error{io.EOF}, []any{Absent, Applied}, Applied, 1, 2, ""},
		"lost, absent, sent again":           {resent, []error{io.EOF, nil}, []any{Absent}, Applied, 2, 2, ""},
		"lost, absent, not sent again":       {Write{}, []error{io.EOF}, []any{Absent}, Unknown, 1, 2, ReasonAbsent},
		"lost twice":                         {resent, []error{io.EOF}, []any{Absent}, Unknown, 2, 4, ReasonAbsent},
		"lost twice, in effect at the end":   {resent, []error{io.EOF}, []any{Absent, Absent, Absent, Applied}, Applied, 2, 4, ""},
		"lost, then rejected as done":        {resent, []error{io.EOF, errRejected}, []any{Absent, Absent, Applied}, Applied, 2, 3, ""},
		"lost, then rejected, not shown":     {resent, []error{io.EOF, errRejected}, []any{Absent}, Absent, 2, 4, ""},
		"lost, another one":                  {resent, []error{io.EOF}, []any{Different}, Different, 1, 1, ReasonDifferent},
		"lost, the read fails":               {resent, []error{io.EOF}, []any{io.ErrNoProgress}, Unknown, 1, 1, ReasonCheckFailed},
		"lost, the second read fails":        {resent, []error{io.EOF}, []any{Absent, limit}, Unknown, 1, 2, ReasonCheckFailed},
		"proven":                             {proven, []error{nil}, []any{Applied}, Applied, 1, 1, ""},
		"proven at the second read":          {proven, []error{nil}, []any{Absent, Applied}, Applied, 1, 2, ""},
		"proven, not shown":                  {provenAndResent, []error{nil}, []any{Absent}, Unknown, 1, 2, ReasonNotShown},
		"proven, the read fails":             {proven, []error{nil}, []any{limit}, Unknown, 1, 1, ReasonCheckFailed},
		"proven, sent again":                 {provenAndResent, []error{io.EOF, nil}, []any{Absent, Absent, Applied}, Applied, 2, 3, ""},
		"proven, sent again, not shown":      {provenAndResent, []error{io.EOF, nil}, []any{Absent}, Unknown, 2, 4, ReasonNotShown},
		"proven, rejected as done":           {proven, []error{errRejected}, []any{Applied}, Applied, 1, 1, ""},
		"proven, rejected, not shown":        {provenAndResent, []error{errRejected}, []any{Absent}, Absent, 1, 2, ""},
	} {
		for _, canceled := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			wantSent, wantRead, want, reason := tc.sent, tc.read, tc.want, tc.reason
			if canceled { // what was sent is read, and nothing is sent again
				cancel()
				if tc.sent > 1 {
					wantSent, wantRead, want, reason = 1, 2, Unknown, ReasonCanceled
				}
			}
			got, sent, read := play(ctx, Patience{transporttest.NewClock(), firstPause}, tc.write, tc.answers, tc.sights...)
			cancel()
			assert.Equal(t, want, got.State, "%s, canceled=%t: state after %d calls and %d reads: %v", name, canceled, sent, read, got.Err)
			assert.Equal(t, wantSent, sent, "%s, canceled=%t: state %d after calls and %d reads: %v", name, canceled, got.State, read, got.Err)
			assert.Equal(t, wantRead, read, "%s, canceled=%t: state %d after %d calls and reads: %v", name, canceled, got.State, sent, got.Err)
			doubt, isDoubt := errors.AsType[*UnknownOutcomeError](got.Err)
			if isDoubt != (want == Unknown || want == Different) || isDoubt && doubt.Reason != reason || (got.Err == nil) != (want == Applied) {
				t.Errorf("%s, canceled=%t: %v", name, canceled, got.Err)
			}
		}
	}
}

func TestSettle_WaitsBetweenReads(t *testing.T) {
	t.Parallel()
	clock := transporttest.NewClock()
	got, _, _ := play(t.Context(), Patience{clock, time.Hour}, Write{Resend: true}, []error{io.ErrUnexpectedEOF}, Absent, Absent, Absent, Applied)
	if got.Err != nil || !got.ResponseLost || clock.Slept() != 7*time.Second {
		t.Errorf("slept %s: %+v", clock.Slept(), got)
	}
}

// The pauses between reads grow. They last for 30 seconds, and no longer than max_wait.
func TestReadUntil_Pauses(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for maxWait, want := range map[time.Duration][]time.Duration{
		time.Hour:  {s, 2 * s, 4 * s, 8 * s, 15 * s},
		10 * s:     {s, 2 * s, 4 * s, 3 * s},
		s / 2:      {s / 2},
		0:          nil,
		30*s + s/2: {s, 2 * s, 4 * s, 8 * s, 15 * s},
	} {
		clock, reads := transporttest.NewClock(), 0
		seen, err := ReadUntil(t.Context(), Patience{clock, maxWait}, func(context.Context) (int, error) {
			reads++
			return reads, nil
		}, func(int) bool { return false })
		require.NoError(t, err, maxWait)
		assert.Equal(t, want, clock.Sleeps, maxWait)
		assert.Equal(t, len(want)+1, seen, maxWait)
	}
}

// What the text says of the response is what arrived.
func TestSettle_Texts(t *testing.T) {
	t.Parallel()
	const failed = " The read that would show the outcome failed (no)."
	no := errors.New("no")
	for want, answer := range map[string]error{
		"The API accepted the call." + failed:                         nil,
		"Its response was lost." + failed:                             io.EOF,
		"Its response does not show whether it took effect." + failed: &Error{Status: 500},
		"The API rejected it." + failed:                               errRejected,
	} {
		got, _, _ := play(t.Context(), Patience{transporttest.NewClock(), firstPause}, Write{Proven: true}, []error{answer}, no)
		if want = "the API call to do it was sent, and its effect could not be confirmed. " + want; got.Err == nil || got.Err.Error() != want {
			t.Errorf("got %v, want %s", got.Err, want)
		}
	}
}

func TestRealClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := RealClock{}.Now()
		err := (RealClock{}).Sleep(t.Context(), time.Minute)
		require.NoError(t, err, "slept %s", time.Since(start))
		assert.Equal(t, time.Minute, time.Since(start), "slept")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err = (RealClock{}).Sleep(ctx, time.Hour)
		assert.ErrorIs(t, err, context.DeadlineExceeded, "slept %s", time.Since(start))
		assert.Equal(t, 61*time.Second, time.Since(start), "slept: %v", err)
	})
}
