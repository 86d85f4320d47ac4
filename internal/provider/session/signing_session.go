package session

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
)

// signingSession is the Signing API's part of a session. Missing settings are an error only for objects that use them.
type signingSession struct {
	Signing        *signing.Client // nil without settings
	signingConfig  signing.Config
	signingPending path.Paths // settings that are known after apply
	signingProblem error      // error of invalid settings
	signingMissing []string   // settings without a value
}

// ConnectSigning creates the client if there are settings. It makes no API call.
func (s *Session) ConnectSigning(cfg signing.Config, pending path.Paths) {
	s.signingConfig = cfg
	s.signingPending = pending
	if cfg.URL == "" && (cfg.APIURL == "" || cfg.Family == signing.FamilySigning) { // the other family needs either
		s.signingMissing = append(s.signingMissing, "signing.url")
	}
	if cfg.UserAPIKey == "" {
		s.signingMissing = append(s.signingMissing, "signing.user_api_key")
	}
	if len(s.signingPending) > 0 || len(s.signingMissing) > 0 {
		return
	}
	s.Signing, s.signingProblem = signing.New(cfg)
}

// CanSign reports whether the Signing API can be called.
func (s *Session) CanSign() bool {
	return s != nil && s.Signing != nil
}

// JudgeSigning is the error of a plan that needs missing settings. Settings that are known after apply are checked at
// apply.
func (s *Session) JudgeSigning() diag.Diagnostics {
	if s == nil || s.CanSign() || len(s.Pending) > 0 || len(s.signingPending) > 0 {
		return nil
	}
	return diag.Diagnostics{s.CannotSign()}
}
