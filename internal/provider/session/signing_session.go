package session

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
)

// signingSession is the Signing API's part of a session. Its settings are only
// missed where something needs them.
type signingSession struct {
	Signing        *signing.Client // nil without settings
	signingPending path.Paths      // settings that are not known yet
	signingProblem error           // settings that no client can be made of
	signingMissing []string        // settings that nobody gave

	InState *NameSet // by fingerprint: what the CLI has shown to be in state
}

func newSigningSession() signingSession {
	return signingSession{InState: NewNameSet()}
}

// SeenInState notes what the CLI reads from its state, before it plans it.
func (s *signingSession) SeenInState(fingerprint string) {
	if fingerprint != "" {
		s.InState.Add(fingerprint)
	}
}

// EnteredState notes what a create put into state.
func (s *Session) EnteredState(fingerprint string) {
	if s != nil && fingerprint != "" {
		s.InState.Add(fingerprint)
	}
}

// LeftState notes what was removed from state.
func (s *Session) LeftState(fingerprint string) {
	if s != nil {
		s.InState.Remove(fingerprint)
	}
}

// ConnectSigning makes the client where there are settings. It makes no call.
func (s *Session) ConnectSigning(cfg signing.Config, pending path.Paths) {
	s.signingPending = pending
	if cfg.URL == "" {
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
func (s *Session) CanSign() bool { return s != nil && s.Signing != nil }

// JudgeSigning is the error of a plan that needs settings which nobody gave.
// Those that are not known yet are judged at apply.
func (s *Session) JudgeSigning() diag.Diagnostics {
	if s == nil || s.CanSign() || len(s.Pending) > 0 || len(s.signingPending) > 0 {
		return nil
	}
	return diag.Diagnostics{s.CannotSign()}
}
