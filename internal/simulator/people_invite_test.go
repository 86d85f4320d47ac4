package simulator_test

import (
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// inviteInterval between two emails to a person (§3.4).
const inviteInterval = 5 * time.Minute

// tooFrequent checks a 429 that is not a rate limit: it has an envelope, and the limits have calls left.
func (r *reply) tooFrequent(retryAfter int) {
	r.t.Helper()
	r.rejected(http.StatusTooManyRequests, "TOO_FREQUENT")
	require.Equal(r.t, strconv.Itoa(retryAfter), r.header.Get("Retry-After"))
	require.Equal(r.t, "60", r.header.Get("RateLimit-Limit"))
	require.Regexp(r.t, `^[1-9]\d*$`, r.header.Get("RateLimit-Remaining"))
}

// A 500, email not sent, still starts the five minutes (§3.4). A rejected invitation tries no email, which fails later.
func TestSection3_4_InviteNotSent(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	invite := path + "/users/" + c.addBob(path) + "/invite"
	c.sim.FailEmails(1)
	c.post(invite, nil).tooFrequent(300)
	c.sim.Clock().Advance(inviteInterval)
	c.post(invite, nil).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
	require.Equal(t, 1, c.mails(bobEmail))
	c.post(invite, nil).tooFrequent(300)
	c.sim.Clock().Advance(inviteInterval)
	c.post(invite, nil).data()
	require.Equal(t, 2, c.mails(bobEmail))
}

// Without the email, the member or private label still exists, and its five minutes begin (ASSUMPTIONS.md).
func TestFailEmails_Adding(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	c.sim.FailEmails(3)
	_, path := c.provision(client)
	bob := c.addBob(path)
	c.post("/console/users/add", with(person("carol@client.example"), "domain", client)).data()
	require.Len(t, c.sim.Outbox(), 0)
	c.seats(path, 3)
	invite := path + "/users/" + bob + "/invite"
	c.post(invite, nil).tooFrequent(300)
	c.sim.Clock().Advance(inviteInterval)
	c.post(invite, nil).data()
	require.Equal(t, 1, c.mails(bobEmail))
}

func TestFailEmails_AddFailsWithItsEmail(t *testing.T) {
	t.Parallel()
	c, path := assumingPeople(t, simulator.Forms{"unsent-email": "fails"})
	c.sim.FailEmails(2)
	c.post(path+"/users", person(bobEmail)).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
	c.post("/console/users/add", with(person("carol@client.example"), "domain", client)).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")
	c.seats(path, 3)
	require.Equal(t, "added", c.post(path+"/users", person(bobEmail)).data()["status"])
	require.Equal(t, 0, c.mails(bobEmail))
}

// The five minutes and removed members are in the file that processes share, also after a 500.
func TestPeople_InAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "simulator.json")
	c := inFile(t, file, start)
	_, path := c.provision(client)
	bob := path + "/users/" + c.addBob(path)
	carol := path + "/users/" + as[string](c.post(path+"/users", person("carol@client.example")).data()["userID"])
	c.del(carol).data()
	c.sim.Clock().Advance(inviteInterval)
	c.sim.FailEmails(1)
	c.post(bob+"/invite", nil).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")

	next := inFile(t, file, start)
	next.post(bob+"/invite", nil).tooFrequent(300)
	require.Equal(t, "removed", next.del(carol).data()["status"])
	require.Len(t, next.members(path), 2)
}

// A search reads, although it is a POST, and a rejected call changes nothing: neither writes lasting data.
func TestPeople_ReadsWriteNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "simulator.json")
	c := inFile(t, file, start)
	_, path := c.provision(client)
	before := durableData(t, file)
	c.post(searchPath, object{"domain": client}).data()
	c.get(path + "/members").data()
	c.get(keysPath).data()
	c.post(keysPath, nil).rejected(http.StatusForbidden, "SESSION_REQUIRED")
	c.post(addPath, with(person("bob"), "domain", client)).rejected(http.StatusBadRequest, "INVALID_EMAIL")
	require.Equal(t, before, durableData(t, file))
	c.addBob(path)
	assert.NotEqual(t, before, durableData(t, file), "a person who was added is not written")
}

// A machine's clock that is set back between two runs blocks no invitation.
func TestSection4_19_ClockSetBack(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "simulator.json")
	c := inFile(t, file, start)
	_, path := c.provision(client)
	invite := path + "/users/" + c.addBob(path) + "/invite"
	c.post(invite, nil).tooFrequent(300)
	inFile(t, file, start.AddDate(0, 0, -1)).post(invite, nil).data()
}

// inFile is a process with a data file.
func inFile(t *testing.T, file string, now time.Time) *caller {
	t.Helper()
	sim := newSim(t, simulator.Options{File: file, Clock: simulator.NewFrozenClock(now)})
	return inProcess(t, sim).as(sim.APIKey())
}
