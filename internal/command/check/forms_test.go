package check_test

import (
	"bytes"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A check answers each question with the form that a simulator has, by the names of the simulator's own table.
func TestCheck_Forms(t *testing.T) {
	t.Parallel()
	const seeds = 8
	seen := map[string]bool{}
	for seed := range uint64(seeds) {
		forms := simulator.RandomForms(seed)
		sim, s := simulated(t, forms)
		s.API.Clock = transporttest.NewClock()
		got := runAt(t, t.Context(), s, "-format", "json")
		r := got.report(t)
		assert.Equal(t, 0, got.status, "seed %d: %s\n%s", seed, r.Verdict, got.out)
		for _, q := range r.Questions {
			if q.Answer == "" {
				continue
			}
			seen[q.Name] = true
			if forms[q.Name] == "" {
				continue // nothing was drawn: it has one form
			}
			assert.Equal(t, forms[q.Name], q.Answer, "seed %d: the answer to %s", seed, q.Name)
		}
		like, err := simulator.FormsLike(got.transcript)
		for name, form := range like {
			if forms[name] == "" {
				continue
			}
			assert.Equal(t, form, forms[name], "seed %d: %s of a simulator like the transcript", seed, name)
		}
		require.NoError(t, err, "seed %d: %d forms", seed, len(like))
		assert.GreaterOrEqual(t, len(like), 8, "seed %d: forms", seed)
		_ = sim.Close()
	}
	for _, q := range run(t, newService(), "-format", "json").report(t).Questions {
		if !seen[q.Name] && q.Name != "email-case" && q.Name != "empty-arrays" { // the seed has no uppercase letters, and few empty arrays
			t.Errorf("no simulator showed an answer to %s", q.Name)
		}
	}
}

// unanswerable are forms that no read of a simulator with private labels shows.
var unanswerable = map[string]bool{
	"empty-arrays=omitted": true, "empty-arrays=array": true, // see TestCheck_OmittedArrays
	"email-case=lowercase": true, "email-case=words": true, "email-case=as-sent": true, "email-case=uppercase": true,
}

// An empty reseller shows whether an empty array is omitted beside a count of 0.
func TestCheck_OmittedArrays(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"array", "null", "omitted"} {
		sim, err := simulator.New(simulator.Options{Forms: simulator.Forms{"empty-arrays": form}})
		require.NoError(t, err)
		server := httptest.NewServer(sim)
		s := settings(server.URL)
		s.API.APIKey, s.Signing.UserAPIKey, s.API.Clock = sim.APIKey(), sim.SigningAPIKey(), transporttest.NewClock()
		like, err := simulator.FormsLike(runAt(t, t.Context(), s, "-format", "json").transcript)
		require.NoError(t, err)
		assert.Equal(t, form, like["empty-arrays"])
		server.Close()
		assert.NoError(t, sim.Close())
	}
}

// A transcript of each form of a question makes a simulator answer in that form.
func TestCheck_EachForm(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, q := range run(t, newService(), "-format", "json").report(t).Questions {
		asked[q.Name] = true
	}
	var table bytes.Buffer
	simulator.PrintForms(&table)
	question := ""
	for line := range strings.Lines(table.String()) {
		if m := regexp.MustCompile(`^([a-z0-9-]+) \(`).FindStringSubmatch(line); m != nil {
			question = m[1]
			continue
		}
		name := regexp.MustCompile(`^  [ *] ([a-z0-9-]+)`).FindStringSubmatch(line)[1]
		if !asked[question] || unanswerable[question+"="+name] {
			continue
		}
		forms, question := simulator.Forms{question: name}, question
		if question == "no-endpoint" {
			forms["get"] = "query" // so that one is asked for
		}
		t.Run(question+"="+name, func(t *testing.T) {
			t.Parallel()
			sim, s := simulated(t, forms)
			s.API.Clock = transporttest.NewClock()
			got := runAt(t, t.Context(), s, "-format", "json")
			like, err := simulator.FormsLike(got.transcript)
			require.NoError(t, err, got.said)
			assert.Equal(t, name, like[question], "%s\n%s", got.said, got.out)
			_ = sim.Close()
		})
	}
}
