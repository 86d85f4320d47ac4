package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// A limit that closes while a doubtful write is settled is waited for, though
// that takes longer than a cancelled run is given.
func TestSettlingWaitsForALimit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cancelled bool
		took      time.Duration
	}{
		"a run that goes on":    {false, 90 * time.Second},
		"a run that is stopped": {true, settleTime},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				answers := []answer{limited("Retry-After", "90"), ok(oneLabel), ok(theDetail)}
				c, err := New(Config{
					BaseURL: "https://api.example", AccessToken: givenTok, Slug: testSlug, MaxWait: 2 * time.Minute, MaxRetries: 3,
					Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
						if r.Method == http.MethodPost {
							if tc.cancelled {
								cancel()
							}
							return nil, io.ErrUnexpectedEOF
						}
						next := answers[0]
						answers = answers[1:]
						return inMemory(http.HandlerFunc(next))(r)
					}),
				})
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				made, err := c.ProvisionPrivateLabel(ctx, provisionRequest())
				if took := time.Since(start); took != tc.took {
					t.Errorf("it took %s", took)
				}
				var doubt *DoubtError
				switch {
				case tc.cancelled && !errors.As(err, &doubt):
					t.Errorf("got %v", err)
				case !tc.cancelled && (err != nil || !made.AnswerLost):
					t.Errorf("got %+v, %v", made, err)
				}
			})
		})
	}
}

func TestLooksLieApart(t *testing.T) {
	t.Parallel()
	clock := newClock()
	looks := 0
	_, lost, err := settle(t.Context(), clock, deed[int]{
		op: "do", subject: "it",
		act: func(context.Context) (int, error) { return 0, io.ErrUnexpectedEOF },
		look: func(context.Context) (int, sighting, string, error) {
			looks++
			if looks == 4 {
				return 7, isDone, "", nil
			}
			return 0, notDone, "", nil
		},
	})
	if err != nil || !lost || clock.slept() != 2*settlePause {
		t.Errorf("slept %s: %v, %v", clock.slept(), lost, err)
	}
}

func TestWhatIsNotInDoubtIsNotSettled(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{
		nil, &Error{Status: 400, Code: CodeInvalidRequest}, &notSentError{io.EOF}, &LimitError{},
		&Error{Status: 401, unreadable: true}, &Error{Status: 429, unreadable: true},
	} {
		acts := 0
		_, lost, err := settle(t.Context(), newClock(), deed[int]{
			act: func(context.Context) (int, error) { acts++; return 7, failure },
			look: func(context.Context) (int, sighting, string, error) {
				t.Errorf("%v: looked", failure)
				return 0, notDone, "", nil
			},
		})
		if acts != 1 || lost || !errors.Is(err, failure) {
			t.Errorf("%v: %d acts, %v", failure, acts, err)
		}
	}
}

func TestRealClock(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		start := realClock{}.Now()
		if err := (realClock{}).Sleep(t.Context(), time.Minute); err != nil || time.Since(start) != time.Minute {
			t.Errorf("slept %s: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := (realClock{}).Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 61*time.Second {
			t.Errorf("slept %s: %v", time.Since(start), err)
		}
	})
}
