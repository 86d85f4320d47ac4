package simulator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	searchPath = "/console/users/search"
	addPath    = "/console/users/add"
	removePath = "/console/users/remove"
)

// search returns the email addresses that were found.
func (c *caller) search(body object) string {
	c.t.Helper()
	data := c.post(searchPath, body).data()
	require.Len(c.t, data, 1)
	var found []string
	for _, u := range as[[]any](data["users"]) {
		found = append(found, as[string](as[object](u)["email"]))
	}
	return strings.Join(found, " ")
}

func TestSection4_3_AtMost50(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	for i := range 60 {
		c.made(c.sim.AddPersonInConsole(client, fmt.Sprintf("person-%02d@client.example", i), "Per", "Son"))
	}
	for query, want := range map[string]int{"": 50, "person-": 50, "person-0": 10, "person-59": 1} {
		assert.Len(t, strings.Fields(c.search(object{"query": query, "domain": client})), want, query)
	}
}
