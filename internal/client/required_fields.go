package client

import (
	"fmt"
)

// fieldChecker is a response with required fields. Any other missing field is a zero value.
type fieldChecker interface {
	// missingField returns the name of a missing field, "" if there is none.
	missingField() string
}

// A list without its labels must not be read as an empty list, nor a private label without its ID or host name as
// another one: both would show that private labels no longer exist.
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

// attachResponse is the response of §4.11.
type attachResponse struct {
	DomainSetup *DomainSetup `json:"domainSetup"`
}

func (a *attachResponse) missingField() string {
	if a.DomainSetup == nil {
		return "domainSetup"
	}
	return ""
}

// templatesResponse is the response of §4.15.
type templatesResponse struct {
	Templates []Template `json:"templates"`
}

func (a *templatesResponse) missingField() string {
	if a.Templates == nil {
		return "templates"
	}
	return ""
}
