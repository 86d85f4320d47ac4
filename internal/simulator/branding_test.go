package simulator_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

const colorsPath = "/console/tenant/update-colors"

func TestSection4_6_Colors(t *testing.T) {
	t.Parallel()
	eachFront(t, "", func(t *testing.T, c *caller) {
		c.provision(client)
		got := c.post(colorsPath, object{"domain": "SIGN.client.example", "colorPrimary": "#0a0", "colorFooterBackground": "#112233"}).data()
		exactly(t, object{"domain": client, "message": sentence}, got)
		// Only what is sent changes, and a blank color stays unchanged.
		c.post(colorsPath, object{"domain": client, "colorPrimary": "", "colorAccentForeground": "#fff"}).data()
		colors := map[string]string{"colorPrimary": "#0a0", "colorFooterBackground": "#112233", "colorAccentForeground": "#fff"}
		require.Equal(t, colors, c.sim.Branding(client).Colors)
		// All six; null is like omitted.
		all := object{"domain": client}
		for i, name := range []string{"colorPrimary", "colorPrimaryForeground", "colorAccent", "colorAccentForeground", "colorAppBarBackground", "colorFooterBackground"} {
			all[name] = fmt.Sprintf("#00000%d", i)
		}
		c.post(colorsPath, all).data()
		c.post(colorsPath, object{"domain": client, "colorAppBarBackground": nil}).data()
		c.post(colorsPath, object{"domain": client}).data()
		delete(all, "domain")
		require.Equal(t, fmt.Sprint(all), fmt.Sprint(c.sim.Branding(client).Colors))
		require.Equal(t, fmt.Sprint(all), fmt.Sprint(c.sim.Labels()[0].Colors))
	})
}

func TestSection4_6_Refusals(t *testing.T) {
	t.Parallel()
	c, _ := newLabel(t)
	c.provision("sign.bare.example")
	require.NoError(t, c.sim.DropBranding("sign.bare.example"))
	for name, tc := range map[string]struct {
		body any
		code string
	}{
		"null domain":          {object{"domain": nil}, "DOMAIN_EMPTY"},
		"no domain":            {object{"colorPrimary": "#0a0"}, "DOMAIN_EMPTY"},
		"blank domain":         {object{"domain": " ", "colorPrimary": "#0a0"}, "DOMAIN_EMPTY"},
		"no branding":          {object{"domain": "sign.bare.example", "colorPrimary": "#0a0"}, "NOT_FOUND"},
		"no color":             {object{"domain": client, "colorAccent": "green"}, "INVALID_COLOR"},
		"the misspelled field": {object{"domain": client, "colorPrimaryForegroundd": "#0a0"}, "INVALID_REQUEST"},
		"a field in snake":     {object{"domain": client, "color_primary": "#0a0"}, "INVALID_REQUEST"},
		"a color that is not":  {object{"domain": client, "colorPrimary": 7}, "INVALID_REQUEST"},
		"no JSON":              {"colors", "INVALID_REQUEST"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.in(t).post(colorsPath, tc.body).rejected(http.StatusBadRequest, tc.code)
		})
	}
	// An invalid color changes none of the others.
	c.post(colorsPath, object{"domain": client, "colorPrimary": "#123", "colorAccent": "none"}).rejected(http.StatusBadRequest, "INVALID_COLOR")
	require.Equal(t, "", c.sim.Branding(client).Colors["colorPrimary"])
}
