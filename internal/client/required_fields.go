package client

import (
	"fmt"
)

// fieldChecker is an answer that knows what it cannot do without. Everything else
// that is missing is a zero value.
type fieldChecker interface {
	// missingField names the field that is missing; "" when nothing is.
	missingField() string
}

// A list without its labels must not be read as an empty one, nor a label
// without its id or host as another one: both would look like labels that are
// gone.
func (l *PrivateLabelList) missingField() string {
	if l.PrivateLabels == nil {
		return "privateLabels"
	}
	for i := range l.PrivateLabels {
		switch item := &l.PrivateLabels[i]; {
		case item.TenantID == "":
			return fmt.Sprintf("privateLabels[%d].tenantId", i)
		case item.PrimaryHost == "":
			return fmt.Sprintf("privateLabels[%d].primaryHost", i)
		}
	}
	return ""
}

func (l *PrivateLabel) missingField() string {
	if l.TenantID == "" {
		return "tenantId"
	}
	return ""
}

func (p *Provisioned) missingField() string {
	if !idForm.MatchString(p.TenantID) {
		return "tenantId"
	}
	return ""
}

func (s *SuspendResult) missingField() string {
	if s.Status == "" {
		return "status"
	}
	return ""
}

// attachAnswer is the answer of §4.11.
type attachAnswer struct {
	DomainSetup *DomainSetup `json:"domainSetup"`
}

func (a *attachAnswer) missingField() string {
	if a.DomainSetup == nil {
		return "domainSetup"
	}
	return ""
}

// templatesAnswer is the answer of §4.15.
type templatesAnswer struct {
	Templates []Template `json:"templates"`
}

func (a *templatesAnswer) missingField() string {
	if a.Templates == nil {
		return "templates"
	}
	return ""
}
