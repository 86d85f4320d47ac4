package simulator_test

import (
	"fmt"
	"image"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

const (
	searchPath = "/console/users/search"
	removePath = "/console/users/remove"
	keysPath   = resellerPath + "/keys"

	client = "sign.client.example"
	ada    = "ada@client.example"
	bob    = "bob@client.example"
	eve    = "eve@client.example"

	nobodyID = "00000000000000000000000000000000"
)

func person(email string) object {
	return object{"email": email, "firstName": "Bob", "lastName": "Byte"}
}

// addBob adds Bob to the private label of a path.
func (c *caller) addBob(path string) string {
	c.t.Helper()
	return as[string](c.post(path+"/users", person(bob)).data()["userID"])
}

func (c *caller) members(path string) []any {
	c.t.Helper()
	return as[[]any](c.get(path + "/members").data()["members"])
}

// seats checks every figure that counts the members of the only private label.
func (c *caller) seats(path string, want float64) {
	c.t.Helper()
	require.Equal(c.t, want, float64(len(c.members(path))))
	require.Equal(c.t, want, c.get(path).data()["memberCount"])
	require.Equal(c.t, want, as[object](as[object](c.items()[0])["metrics"])["members"])
	dashboard := c.get("/console/dashboard").data()
	require.Equal(c.t, want, dashboard["totalUsers"])
	require.Equal(c.t, want, as[object](as[[]any](dashboard["domains"])[0])["userCount"])
	require.Equal(c.t, want, as[object](c.get(usagePath).data()["totals"])["seats"])
	seats := as[object](as[[]any](c.get(quotaPath).data()["items"])[1])
	require.Equal(c.t, "seats", seats["itemCode"])
	require.Equal(c.t, want, seats["used"])
	require.Equal(c.t, want, float64(len(as[[]any](c.post("/console/users/search", object{}).data()["users"]))))
	require.Equal(c.t, want, float64(c.sim.Labels()[0].Members))
}

// A search has at most 50 results, and the list of members has all (§4.3, §4.17).
func TestASearchHas50ResultsAndTheListAllMembers(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	for i := range 60 {
		c.made(c.sim.AddPersonInConsole(client, fmt.Sprintf("person-%02d@client.example", i), "Per", "Son"))
	}
	for query, want := range map[string]int{"": 50, "person-": 50, "person-0": 10, "person-59": 1} {
		found := c.post(searchPath, object{"query": query, "domain": client}).data()
		assert.Len(t, found["users"], want, query)
	}
	require.Len(t, c.members(path), 61)
}

// Every figure counts the same members.
func TestFiguresCountTheSameMembers(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	id := c.addBob(path)
	c.seats(path, 2)
	c.del(path + "/users/" + id).data()
	c.seats(path, 1)
	_, err := c.sim.AddPersonInConsole(client, " ", "No", "Address")
	require.Error(t, err)
}

// The books show the members as the list does: the owner first, in any order of the stored members (§4.17).
func TestTheBooksShowMembersAsTheListDoes(t *testing.T) {
	t.Parallel()
	c, path := newLabel(t)
	c.addBob(path)
	carol := as[string](c.post(path+"/users", person("carol@client.example")).data()["userID"])
	require.NoError(t, c.sim.MakeAdmin(client, bob))
	c.del(path + "/users/" + carol).data()
	c.sim.ReverseMembers()
	people := c.sim.Labels()[0].People
	require.Len(t, people, 2)
	for i, m := range c.members(path) {
		p := people[i]
		require.Subset(t, m, object{"id": p.ID, "email": p.Email, "firstName": p.FirstName, "lastName": p.LastName, "role": p.Role, "status": p.Status})
	}
	require.Equal(t, "owner", people[0].Role)
	require.Equal(t, "admin", people[1].Role)
}

// Some seeded private labels have a former member, and some a logo.
func TestSeededLabelsHaveFormerMembersAndLogos(t *testing.T) {
	t.Parallel()
	// The alternative distinguishes a former member from a user who never was one.
	c := assuming(t, simulator.Forms{"removed-again": "succeeds"})
	require.NoError(t, c.sim.Seed(5))
	labels := c.sim.Labels()
	c.post(removePath, object{"email": "person-0@client-0005.example", "domain": labels[4].Host}).data()
	c.post(removePath, object{"email": "person-0@client-0004.example", "domain": labels[3].Host}).rejected(http.StatusBadRequest, "USER_NOT_FOUND")
	require.Len(t, labels[4].People, 3)
	require.Equal(t, image.Pt(90, 90), sizeOf(t, c.sim.Branding(labels[3].Host).Logo))
	require.Len(t, c.sim.Branding(labels[2].Host).Logo, 0)
	require.Len(t, c.sim.Outbox(), 0)
}

// The five minutes and removed members are in the file that processes share, also after a 500.
func TestProcessesShareInvitationsAndRemovals(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "simulator.json")
	c := inFile(t, file, start)
	_, path := c.provision(client)
	bob := path + "/users/" + c.addBob(path)
	carol := path + "/users/" + as[string](c.post(path+"/users", person("carol@client.example")).data()["userID"])
	c.del(carol).data()
	c.sim.Clock().Advance(5 * time.Minute)
	c.sim.FailEmails(1)
	c.post(bob+"/invite", nil).rejected(http.StatusInternalServerError, "INTERNAL_SERVER_ERROR")

	next := inFile(t, file, start)
	next.post(bob+"/invite", nil).rejected(http.StatusTooManyRequests, "TOO_FREQUENT")
	require.Equal(t, "removed", next.del(carol).data()["status"])
	require.Len(t, next.members(path), 2)
}

// A search reads, although it is a POST, and a rejected call changes nothing: neither writes lasting data.
func TestReadsWriteNothing(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "simulator.json")
	c := inFile(t, file, start)
	_, path := c.provision(client)
	before := durableData(t, file)
	c.post(searchPath, object{"domain": client}).data()
	c.get(path + "/members").data()
	c.get(keysPath).data()
	signing := signingIn(t, c.sim)
	signing.post("/signing/view/sent-documents", object{"domain": nil}).data()
	signing.get("/signing/signature-list").data()
	c.post(keysPath, nil).rejected(http.StatusForbidden, "SESSION_REQUIRED")
	c.post("/console/users/add", with(person("bob"), "domain", client)).rejected(http.StatusBadRequest, "INVALID_EMAIL")
	require.Equal(t, before, durableData(t, file))
	c.addBob(path)
	assert.NotEqual(t, before, durableData(t, file), "a person who was added is not written")
}

// A machine's clock that is set back between two runs blocks no invitation.
func TestAClockSetBackBlocksNoInvitation(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "simulator.json")
	c := inFile(t, file, start)
	_, path := c.provision(client)
	invite := path + "/users/" + c.addBob(path) + "/invite"
	c.post(invite, nil).rejected(http.StatusTooManyRequests, "TOO_FREQUENT")
	inFile(t, file, start.AddDate(0, 0, -1)).post(invite, nil).data()
}

// inFile is a process with a data file.
func inFile(t *testing.T, file string, now time.Time) *caller {
	t.Helper()
	sim := newSim(t, simulator.Options{File: file, Clock: simulator.NewFrozenClock(now)})
	return inProcess(t, sim).as(sim.APIKey())
}

func TestTheListHasEveryPrivateLabel(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	require.NoError(t, c.sim.Seed(250))
	require.Len(t, c.items(), 250)
}

func TestThePeriodIsInUTC(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("east", 14*3600)
	sim := newSim(t, simulator.Options{Clock: simulator.NewFrozenClock(time.Date(2026, time.November, 1, 1, 0, 0, 0, zone))})
	require.Equal(t, "2026-10", inProcess(t, sim).as(sim.APIKey()).get(labelsPath).data()["period"])
}

// DNS becomes correct by itself where that is asked for.
func TestDNSBecomesCorrectAfterItsDelay(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{DNSDelay: 5 * time.Minute})
	c := inProcess(t, sim).as(sim.APIKey())
	_, path := c.provision(client)
	for _, verified := range []bool{false, true} {
		sim.Clock().Advance(4 * time.Minute)
		require.Equal(t, verified, as[object](c.get(path).data()["domainSetup"])["verified"])
	}
}

// Only a Bearer token is one, and the revocation of a key ends all of its own (§5).
func TestRevocationEndsEachTokenOfTheKey(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	key := c.made(c.sim.MintKey(scopeRead))
	first, second := c.as(key), c.as(key)
	require.NoError(t, c.sim.RevokeKey(key))
	for _, ended := range []*caller{first, second} {
		ended.get(labelsPath).rejected(http.StatusUnauthorized, "UNAUTHORIZED")
	}
	req := c.request(http.MethodGet, labelsPath, nil)
	req.Header.Set("Authorization", "Basic "+c.token)
	got, err := c.send(req)
	require.NoError(t, err)
	got.rejected(http.StatusUnauthorized, "UNAUTHORIZED")
}

func TestOtherAddressesHaveNoEndpoint(t *testing.T) {
	t.Parallel()
	withCaller(t, "the upload address serves nothing else", func(t *testing.T, c *caller) {
		upload := *c
		upload.base = simulator.UploadURL
		upload.get("/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
		overHTTP(t, c.sim).with(c.token).get(simulator.UploadPrefix+"/console/dashboard").rejected(http.StatusNotFound, "NOT_FOUND")
	})
	withCaller(t, "in process there are no other hosts", func(t *testing.T, c *caller) {
		c.base = "https://elsewhere.example"
		_, err := c.try(http.MethodGet, "/", nil)
		assert.ErrorContains(t, err, "elsewhere.example")
	})
}

// §2.9: a fixed prefix, `live_`, the ID of 32 characters, `_` and the secret.
func TestAKeyHasItsDocumentedForm(t *testing.T) {
	t.Parallel()
	sim := newSim(t, simulator.Options{})
	assert.Regexp(t, `^[a-z_]*live_[0-9a-f]{32}_.+$`, sim.APIKey())
}
