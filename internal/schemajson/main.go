// Command schemajson prints the provider's schema in the format of `terraform providers schema -json`.
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
		err = write(context.Background(), os.Stdout, server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemajson:", err)
		os.Exit(1)
	}
}

func write(ctx context.Context, w io.Writer, server tfprotov6.ProviderServer) error {
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
	return enc.Encode(map[string]any{"format_version": "1.0", "provider_schemas": map[string]any{key: out}})
}
