package client

import "fmt"

// lacking is an answer that knows what it cannot do without. Everything else
// that is missing is a zero value.
type lacking interface {
	// lacks names the field that is missing; "" when nothing is.
	lacks() string
}

// A list without its labels must not be read as an empty one, nor a label
// without its id or host as another one: both would look like labels that are
// gone.
func (l *PrivateLabelList) lacks() string {
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

func (l *PrivateLabel) lacks() string {
	if l.TenantID == "" {
		return "tenantId"
	}
	return ""
}

func (p *Provisioned) lacks() string {
	if !idForm.MatchString(p.TenantID) {
		return "tenantId"
	}
	return ""
}

func (s *SuspendResult) lacks() string {
	if s.Status == "" {
		return "status"
	}
	return ""
}

// attachAnswer is the answer of §4.11.
type attachAnswer struct {
	DomainSetup *DomainSetup `json:"domainSetup"`
}

func (a *attachAnswer) lacks() string {
	if a.DomainSetup == nil {
		return "domainSetup"
	}
	return ""
}

// templatesAnswer is the answer of §4.15.
type templatesAnswer struct {
	Templates []Template `json:"templates"`
}

func (a *templatesAnswer) lacks() string {
	if a.Templates == nil {
		return "templates"
	}
	return ""
}
