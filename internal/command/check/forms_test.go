package check_test

import (
	"bytes"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/forms"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/texttable"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// A check answers each question with the form that a simulator has, by the names of the simulator's own table.
func TestCheck_Forms(t *testing.T) {
	t.Parallel()
	const seeds = 8
	seen := map[string]bool{}
	for seed := range uint64(seeds) {
		drawn := simulator.RandomForms(seed)
		sim, s := simulated(t, drawn)
		s.API.Clock = transporttest.NewClock()
		got := runAt(t, t.Context(), s, "-format", "json")
		r := got.report(t)
		assert.Equal(t, 0, got.status, "seed %d: %s\n%s", seed, r.Verdict, got.out)
		for _, q := range r.Questions {
			if q.Answer == "" {
				continue
			}
			seen[q.Name] = true
			if drawn[q.Name] == "" {
				continue // nothing was drawn: it has one form
			}
			assert.Equal(t, drawn[q.Name], q.Answer, "seed %d: the answer to %s", seed, q.Name)
		}
		like, err := simulator.FormsLike(got.transcript)
		for name, form := range like {
			if drawn[name] == "" {
				continue
			}
			assert.Equal(t, form, drawn[name], "seed %d: %s of a simulator like the transcript", seed, name)
		}
		require.NoError(t, err, "seed %d: %d forms", seed, len(like))
		assert.GreaterOrEqual(t, len(like), 8, "seed %d: forms", seed)
		_ = sim.Close()
	}
	for _, q := range run(t, newService(""), "-format", "json").report(t).Questions {
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

// simulatorForms returns the names of the forms of each question of the simulator's table.
func simulatorForms() map[string][]string {
	var table bytes.Buffer
	simulator.PrintForms(&table)
	out := map[string][]string{}
	question := ""
	for line := range strings.Lines(table.String()) {
		if m := regexp.MustCompile(`^([a-z0-9-]+) \(`).FindStringSubmatch(line); m != nil {
			question = m[1]
			continue
		}
		out[question] = append(out[question], regexp.MustCompile(`^  [ *] ([a-z0-9-]+)`).FindStringSubmatch(line)[1])
	}
	return out
}

// withoutRow are the simulator's questions that the table of the clients does not have, because a client neither sends nor
// reads anything else: with the row that stands for it, the code of the error that names it, or what the provider does in
// every form.
const withoutRow = `
	late              | reads wait for it
	late-reads        | reads wait for it
	host-case         | host names are sent in lowercase
	gone-label        | FORBIDDEN and INVALID_TARGET
	upload-at-base    | NOT_FOUND, or the page
	unknown-package   | PACKAGE_NOT_FOUND and INVALID_REQUEST
	logo-size         | LIMIT_FILE_SIZE
	logo-type         | LIMIT_UNEXPECTED_FILE
	bad-period        | INVALID_REQUEST and INVALID_QUERY
	empty-package     | no package is sent at provisioning
	limit-headers     | each limit is known by its ceiling
	seats-no-package  | SEAT_QUOTA_REACHED
	seats-of-zero     | SEAT_QUOTA_REACHED
	unsent-email      | INTERNAL_SERVER_ERROR, then the list
	added-again       | the ID of the response is kept
	foreign-host      | people are not added by host name
	removed-again     | people are not removed by host name
	foreign-search    | UNAUTHORIZED
	update-omitted    | update-body
	update-nested     | update-body
	update-whole      | update-body
	search-inactive   | /get decides
	settings          | a read after the update names what was dropped
	assign-order      | the code of the response is told
	late-confirmation | CONFIRMATION_EXPIRED and CONFIRMATION_INVALID
	remaining         | the numbers of the response are told
	removed-item      | the warnings of the response decide
	removed           | a read confirms a removal
	signing-status    | the code of the response decides
	signing-wrong-key | INVALID_API_KEY and INVALID_USER_API_KEY
	signing-domain    | INVALID_DATA
	strange-domain    | NO_PERMISSION
	upload-arrays     | INVALID_DATA
	upload-size       | INVALID_DATA
	annotation-page   | INVALID_DATA
	signing-body      | INVALID_DATA
	sign-for-others   | NO_PERMISSION
	signed-again      | INVALID_DATA
	viewed-due-date   | an odd field is null
	viewed-type       | an odd field is null
	viewed-font-size  | an odd field is null
	sent-path         | sent-documents
	signing-result    | both forms are read in both families
	arc69             | fields that are missing are null
`

// Each form of the simulator is one that the table of the clients has, unless withoutRow says what meets it.
func TestForms_EachOfTheSimulator(t *testing.T) {
	t.Parallel()
	known := map[string]*forms.Question{}
	for _, q := range forms.Questions {
		known[q.Name] = q
	}
	all := simulatorForms()
	for _, row := range texttable.Rows(withoutRow) {
		assert.Contains(t, all, row[0], "the simulator has no such question")
		delete(all, row[0])
	}
	for question, names := range all {
		q := known[question]
		if !assert.NotNil(t, q, "the clients know nothing of %s", question) {
			continue
		}
		for _, name := range names {
			if question != "email-case" { // any case is read
				assert.Equal(t, name, q.Form(name).Name, "a form of %s", question)
			}
		}
	}
}

// A transcript of each form of a question makes a simulator answer in that form.
func TestCheck_EachForm(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, q := range run(t, newService(""), "-format", "json").report(t).Questions {
		asked[q.Name] = true
	}
	for question, names := range simulatorForms() {
		for _, name := range names {
			if !asked[question] || unanswerable[question+"="+name] {
				continue
			}
			chosen := simulator.Forms{question: name}
			if question == "no-endpoint" {
				chosen["get"] = "query" // so that one is asked for
			}
			t.Run(question+"="+name, func(t *testing.T) {
				t.Parallel()
				sim, s := simulated(t, chosen)
				s.API.Clock = transporttest.NewClock()
				got := runAt(t, t.Context(), s, "-format", "json")
				like, err := simulator.FormsLike(got.transcript)
				require.NoError(t, err, got.said)
				assert.Equal(t, name, like[question], "%s\n%s", got.said, got.out)
				assert.Zero(t, got.status, "it can be used: %s", got.said)
				_ = sim.Close()
			})
		}
	}
}
