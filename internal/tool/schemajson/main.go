// Command schemajson prints the provider's schema in the format of `terraform providers schema -json`; with -bare without
// descriptions, as a release keeps it.
//
// It uses the provider's own protocol server, so the generated documentation does not depend on the installed CLI: an
// older one does not support identities, list resources or actions and would omit them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
)

// The CLI writes the provider's address here. The generator of the documentation finds a provider outside the hashicorp
// namespace only by its short name.
const key = "reseller"

func main() {
	server, err := providerserver.NewProtocol6WithError(provider.New("docs")())()
	if err == nil {
		err = write(context.Background(), os.Stdout, server, slices.Contains(os.Args[1:], "-bare"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemajson:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, w io.Writer, server tfprotov6.ProviderServer, bare bool) error {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return fmt.Errorf("get the provider's schema: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return fmt.Errorf("get the identity schemas: %w", err)
	}
	for _, d := range append(schemas.Diagnostics, identities.Diagnostics...) {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return fmt.Errorf("the provider's schema is not valid: %s: %s", d.Summary, d.Detail)
		}
	}
	if schemas.Provider == nil {
		return errors.New("the provider has no schema")
	}
	out, err := convert(schemas, identities.IdentitySchemas)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	all := map[string]any{"format_version": "1.0", "provider_schemas": map[string]any{key: out}}
	if bare {
		raw, err := json.Marshal(all)
		if err != nil {
			return err
		}
		all = nil
		if err := json.Unmarshal(raw, &all); err != nil {
			return err
		}
		omitDescriptions(all)
		enc.SetIndent("", " ")
	}
	return enc.Encode(all)
}

// omitDescriptions removes the texts for people. An attribute may have the name of a text.
func omitDescriptions(from any) {
	switch from := from.(type) {
	case map[string]any:
		for name, value := range from {
			if _, isText := value.(string); isText && slices.Contains([]string{"description", "description_kind", "summary", "deprecation_message"}, name) {
				delete(from, name)
				continue
			}
			omitDescriptions(value)
		}
	case []any:
		for _, value := range from {
			omitDescriptions(value)
		}
	}
}
