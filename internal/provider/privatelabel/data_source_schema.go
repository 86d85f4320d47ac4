package privatelabel

import (
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func dataSchema() schema.Schema {
	record := map[string]schema.Attribute{
		"type":  fwtype.ComputedString("Type, such as `CNAME` or `A`."),
		"name":  fwtype.ComputedString("Host name, as the API spells it."),
		"value": fwtype.ComputedString("Target host name or IP address."),
	}
	attributes := map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Optional:            true,
			Computed:            true,
			MarkdownDescription: "Private label ID (the API's tenant ID), 32 lowercase hex characters. Set either `id` or `domain`. API: `tenantId`.",
			Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
		},
		"domain": schema.StringAttribute{
			CustomType:          fwtype.TextType[fwtype.HostKind]{},
			Optional:            true,
			Computed:            true,
			MarkdownDescription: "Host name, compared without case. Set either `id` or `domain`. API: `primaryHost`.",
			Validators:          fwtype.TextRules[fwtype.HostKind](),
		},
		"custom_domain":  fwtype.ComputedString("Custom domain. Null if none. API: `customDomain`."),
		"created_at":     fwtype.ComputedTime("When the private label was provisioned (RFC 3339, UTC). API: `createdAt`."),
		"suspend_reason": fwtype.ComputedString("Reason for the suspension. Null if none. API: `suspendReason`."),
		"owner": fwtype.ComputedObject("Owner. Null if none. API: `owner`.", map[string]schema.Attribute{
			"user_id":    fwtype.ComputedString("User ID of the owner."),
			"email":      schema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
			"first_name": fwtype.ComputedString("First name."),
			"last_name":  fwtype.ComputedString("Last name."),
		}),
		"member_count": fwtype.ComputedCount("Number of members, including the owner. API: `memberCount`."),
		"assignment": fwtype.ComputedObject("Package with its add-ons. Null if none. API: `assignment`.", map[string]schema.Attribute{
			"id":           fwtype.ComputedString("ID of the assignment."),
			"package_id":   fwtype.ComputedString("ID of the package."),
			"package_code": fwtype.ComputedString("Code of the package, upper case."),
			"package_name": fwtype.ComputedString("Name of the package."),
			"currency":     fwtype.ComputedString("Currency of the package, ISO 4217."),
			"assigned_at":  fwtype.ComputedTime("When the package was assigned (RFC 3339, UTC)."),
			"addons": fwtype.ComputedRows("Attached add-ons.", map[string]schema.Attribute{
				"subscription_addon_id": fwtype.ComputedString("ID of the attachment."),
				"addon_id":              fwtype.ComputedString("ID of the add-on."),
				"code":                  fwtype.ComputedString("Code of the add-on, upper case."),
				"name":                  fwtype.ComputedString("Name of the add-on."),
				"quantity":              fwtype.ComputedNumber("Quantity."),
			}),
			"allocated": fwtype.ComputedObject("Allowance that the private label uses. API: `allocated`.", map[string]schema.Attribute{
				"documents":     fwtype.ComputedNumber("Documents."),
				"seats":         fwtype.ComputedNumber("Seats."),
				"templates":     fwtype.ComputedNumber("Templates."),
				"notarizations": fwtype.ComputedNumber("Notarizations."),
			}),
		}),
		"domain_attached": fwtype.ComputedBool("Whether the host name is attached to the portal. API: `domainSetup.attached`."),
		"domain_verified": fwtype.ComputedBool("Whether the DNS record of the host name is correct. The API checks it at most once a minute. API: `domainSetup.verified`."),
		"dns_record":      fwtype.ComputedObject("DNS record to create: the first of `dns_records`. API: `domainSetup.records[0]`.", record),
		"dns_records":     fwtype.ComputedRows("Alternative DNS records that the API returns. API: `domainSetup.records`.", record),
		"dns_note":        fwtype.ComputedString("The API's note on the DNS setup. Null if none. API: `domainSetup.note`."),
	}
	addSuspensionResults(attributes)
	return schema.Schema{
		MarkdownDescription: "One private label with all details. One API call. A lookup by host name also needs the list of private labels, which the whole run shares.",
		Attributes:          attributes,
	}
}

func addSuspensionResults(to map[string]schema.Attribute) {
	to["status"] = fwtype.ComputedString("`Active` or `Suspended`. API: `status`.")
	to["suspended_at"] = fwtype.ComputedTime("When the private label was suspended (RFC 3339, UTC). Null if active. API: `suspendedAt`.")
	to["suspended_by"] = fwtype.ComputedString("`Reseller` or `Platform`. Null if active. API: `suspendedBy`.")
}

func listDataSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "All private labels of the reseller with their metrics of a period. One API call, which the whole run shares unless `period` is set.",
		Attributes: map[string]schema.Attribute{
			"period": schema.StringAttribute{
				Optional:            true,
				Computed:            true,
				MarkdownDescription: "Calendar month in UTC as `YYYY-MM`, or `lifetime`. Default: the current month.",
				Validators:          []validator.String{fwtype.Form(fwtype.PeriodForm, "must be a month as YYYY-MM, or lifetime")},
			},
			"status": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only private labels with this status: `Active` or `Suspended`.",
				Validators:          []validator.String{fwtype.OneOf(client.StatusActive, client.StatusSuspended)},
			},
			"provisioned_count": fwtype.ComputedCount("Number of all private labels, independent of `status`. API: `provisionedCount`."),
			"private_labels":    fwtype.ComputedRows("Private labels, in the API's order.", labelSummaryResults()),
		},
	}
}

func labelSummaryResults() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"id":            fwtype.ComputedString("Private label ID, 32 lowercase hex characters. API: `tenantId`."),
		"domain":        fwtype.ComputedString("Host name. API: `primaryHost`."),
		"custom_domain": fwtype.ComputedString("Custom domain. Null if none. API: `customDomain`."),
		"admin_email":   fwtype.ComputedString("Email address of the admin. Null if none. API: `adminEmail`."),
		"assigned_package": fwtype.ComputedObject("Package. Null if none. API: `assignedPackage`.", map[string]schema.Attribute{
			"package_id": fwtype.ComputedString("ID of the package."),
			"code":       fwtype.ComputedString("Code of the package, upper case."),
			"name":       fwtype.ComputedString("Name of the package."),
		}),
		"template_quota": fwtype.ComputedObject("Template quota. API: `templateQuota`.", map[string]schema.Attribute{
			"used":      fwtype.ComputedNumber("Templates in use."),
			"total":     fwtype.ComputedNumber("Templates allowed."),
			"unlimited": fwtype.ComputedBool("Whether templates are unlimited."),
		}),
		"metrics": fwtype.ComputedObject("Metrics of the period. API: `metrics`.", map[string]schema.Attribute{
			"templates":      fwtype.ComputedNumber("Templates."),
			"documents_sent": fwtype.ComputedNumber("Documents sent."),
			"members":        fwtype.ComputedNumber("Members."),
		}),
		"suspend_reason": fwtype.ComputedString("Reason for the suspension. Null if none. API: `suspendReason`."),
	}
	addSuspensionResults(attributes)
	return attributes
}

func dashboardSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The reseller's slug, host names and user counts. An API key has access to one reseller.",
		Attributes: map[string]schema.Attribute{
			"slug":          fwtype.ComputedString("The reseller's own domain, which the API uses in its paths. Null if the API key acts for no reseller. API: `slug`."),
			"is_reseller":   fwtype.ComputedBool("Whether the API key acts for a reseller. API: `isReseller`."),
			"total_domains": fwtype.ComputedCount("Number of host names. API: `totalDomains`."),
			"total_users":   fwtype.ComputedCount("Number of users on all host names. API: `totalUsers`."),
			"domains": fwtype.ComputedRows("Host names. API: `domains`.", map[string]schema.Attribute{
				"domain":       fwtype.ComputedString("Host name."),
				"company_name": fwtype.ComputedString("Company name."),
				"user_count":   fwtype.ComputedCount("Number of users."),
			}),
		},
	}
}
