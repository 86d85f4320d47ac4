package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// SchemaFingerprint returns a hash of the parts of a schema that affect how a state is read. Descriptions are not
// included.
func SchemaFingerprint(s schema.Schema) string {
	lines := []string{fmt.Sprintf("version %d", s.Version)}
	for name, a := range s.Attributes {
		lines = append(lines, fmt.Sprintf("%s %s %t %t %t", name, a.GetType().TerraformType(context.Background()), a.IsRequired(), a.IsOptional(), a.IsComputed()))
	}
	slices.Sort(lines)
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return hex.EncodeToString(sum[:8])
}
