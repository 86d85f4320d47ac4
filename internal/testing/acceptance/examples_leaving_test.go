package acceptance

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/goldentest"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/matrix"
)

// The configuration that the guide "When a client leaves" links has a review for each value of leaving. The drawn values are tried.
func TestExamples_Leaving(t *testing.T) {
	t.Parallel()
	ways := []string{"suspend", "keep", "release", "deprovision"}
	for _, i := range matrix.Of(t).Numbers(len(ways), 2, t.Name()) {
		way := ways[i]
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, "examples/configurations/leaving/.")
			p.Apply().WantOK(t)
			client := func(host, name string, members map[string]any, leaving any) map[string]any {
				owner := map[string]string{"email": "ines@harbour.example", "first_name": "Ines", "last_name": "Marlow"}
				return map[string]any{"host": host, "name": name, "owner": owner, "members": members, "leaving": leaving}
			}
			clients := map[string]any{
				"harbour": client("sign.harbour.example", "Harbour Legal",
					map[string]any{"jon@harbour.example": map[string]string{"first_name": "Jon", "last_name": "Adler"}}, way),
			}
			variables := func() {
				text, err := json.Marshal(map[string]any{"clients": clients})
				require.NoError(t, err)
				p.File("terraform.tfvars.json", string(text))
			}
			fernwood := client("sign.fernwood.example", "Fernwood Homes", map[string]any{}, nil)
			fernwood["owner"] = map[string]string{"email": "ruth@fernwood.example", "first_name": "Ruth", "last_name": "Okafor"}
			clients["fernwood"] = fernwood
			variables()
			announced := effect.LoweringProtection
			if way == "deprovision" {
				announced = effect.PermittingDeprovisioning.ForHost("sign.harbour.example")
			}
			changed := 1 // the other policies are the defaults already
			if way == "keep" {
				changed = 3
			}
			p.Apply().WantOK(t, announced.Summary, fmt.Sprintf("%d changed, 0 destroyed", changed))
			delete(clients, "harbour")
			variables()
			p.planReviewed()
			goldentest.Check(t, "examples/configurations/leaving/"+way+".md", p.review("markdown"))
			p.Apply(savedPlan).WantOK(t, "3 destroyed")
			assert.Empty(t, p.planReviewed(), "the next plan")
		})
	}
}
