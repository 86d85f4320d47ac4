package acceptance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
)

// The guide "When a client leaves" shows what the plan of each way announces, and the simulator has what it says.
func TestExamples_Leaving(t *testing.T) {
	t.Parallel()
	rc, binary := mirrorOf(t, testVersion)
	for _, way := range []string{"suspend", "keep", "release", "deprovision"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			require.NoError(t, os.CopyFS(dir, os.DirFS("examples/configurations/leaving")))
			runCLI(t, dir, rc, "init", "-no-color", "-input=false")
			runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
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
				write(t, filepath.Join(dir, "terraform.tfvars.json"), string(text))
			}
			fernwood := client("sign.fernwood.example", "Fernwood Homes", map[string]any{}, nil)
			fernwood["owner"] = map[string]string{"email": "ruth@fernwood.example", "first_name": "Ruth", "last_name": "Okafor"}
			clients["fernwood"] = fernwood
			variables()
			lowered := runCLI(t, dir, rc, "apply", "-no-color", "-input=false", "-auto-approve")
			assert.Contains(t, lowered, effect.LoweringProtection.Summary, "the policies")
			assert.Contains(t, lowered, "3 changed, 0 destroyed", "the policies")
			delete(clients, "harbour")
			variables()
			planReviewed(t, dir, rc, binary)
			shown := readFile(t, filepath.Join(dir, way+".md"))
			assert.Equal(t, shown, runReview(t, dir, binary, "-format", "markdown", savedPlan+".json"), "%s.md shows\nand the review prints", way)
			assert.Contains(t, runCLI(t, dir, rc, "apply", "-no-color", "-input=false", savedPlan), "3 destroyed")
			assert.Empty(t, planReviewed(t, dir, rc, binary), "the next plan")
		})
	}
}
