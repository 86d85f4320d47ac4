package privatelabel

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
)

var dnsRecordAttrs = map[string]attr.Type{
	"type":  types.StringType,
	"name":  types.StringType,
	"value": types.StringType,
}

var dnsRecordType = types.ObjectType{AttrTypes: dnsRecordAttrs}

// domainSetupModel is the setup of a host name (§2.5), embedded in each model that shows it.
type domainSetupModel struct {
	DomainAttached types.Bool   `tfsdk:"domain_attached"`
	DomainVerified types.Bool   `tfsdk:"domain_verified"`
	DNSRecord      types.Object `tfsdk:"dns_record"`
	DNSRecords     types.List   `tfsdk:"dns_records"`
	DNSNote        types.String `tfsdk:"dns_note"`
}

func (m *domainSetupModel) fill(s client.DomainSetup) {
	records := make([]attr.Value, 0, len(s.Records))
	for _, r := range s.Records {
		records = append(records, dnsRecordObject(r))
	}
	m.DomainAttached = types.BoolValue(s.Attached)
	m.DomainVerified = types.BoolValue(s.Verified)
	m.DNSRecords = types.ListValueMust(dnsRecordType, records)
	m.DNSRecord = types.ObjectNull(dnsRecordAttrs)
	if len(s.Records) > 0 {
		m.DNSRecord = dnsRecordObject(s.Records[0])
	}
	m.DNSNote = types.StringPointerValue(s.Note)
}

// detached reports whether the host name is known not to be attached.
func (m *domainSetupModel) detached() bool {
	return !m.DomainAttached.IsNull() && !m.DomainAttached.IsUnknown() && !m.DomainAttached.ValueBool()
}

// makeUnknown plans that attaching the host name changes all values.
func (m *domainSetupModel) makeUnknown() {
	m.DomainAttached = types.BoolUnknown()
	m.DomainVerified = types.BoolUnknown()
	m.DNSRecord = types.ObjectUnknown(dnsRecordAttrs)
	m.DNSRecords = types.ListUnknown(dnsRecordType)
	m.DNSNote = types.StringUnknown()
}

func dnsRecordObject(r client.DNSRecord) basetypes.ObjectValue {
	return types.ObjectValueMust(dnsRecordAttrs, map[string]attr.Value{
		"type":  types.StringValue(r.Type),
		"name":  types.StringValue(r.Name),
		"value": types.StringValue(r.Value),
	})
}
