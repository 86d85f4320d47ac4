package fwtype

import (
	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// What a data source reads, and a resource computes at each read.

func ComputedString(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

func ComputedTime(description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: timetypes.RFC3339Type{}, Computed: true, MarkdownDescription: description}
}

func ComputedJSON(description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: jsontypes.NormalizedType{}, Computed: true, MarkdownDescription: description}
}

func ComputedNumber(description string) schema.Float64Attribute {
	return schema.Float64Attribute{Computed: true, MarkdownDescription: description}
}

func ComputedBool(description string) schema.BoolAttribute {
	return schema.BoolAttribute{Computed: true, MarkdownDescription: description}
}

// ComputedRows is a list of objects.
func ComputedRows(description string, attributes map[string]schema.Attribute) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Computed: true, MarkdownDescription: description, NestedObject: schema.NestedAttributeObject{Attributes: attributes},
	}
}

func ComputedObject(description string, attributes map[string]schema.Attribute) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{Computed: true, MarkdownDescription: description, Attributes: attributes}
}

func ComputedCount(description string) schema.Int64Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
}

// What a data source or an action reads by.

// LabelArgument is the private label that a data source reads.
func LabelArgument() schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Private label ID. API: `:tenantId`.",
		Validators:          []validator.String{PrivateLabelIDValidator},
	}
}

// ActionLabelArgument is the private label that an action is about.
func ActionLabelArgument() actionschema.StringAttribute {
	a := LabelArgument()
	return actionschema.StringAttribute{Required: true, MarkdownDescription: a.MarkdownDescription, Validators: a.Validators}
}

// OptionalArgument is a text of a kind that a data source may read by.
func OptionalArgument[K Kind](description string) schema.StringAttribute {
	return schema.StringAttribute{CustomType: TextType[K]{}, Optional: true, MarkdownDescription: description, Validators: TextRules[K]()}
}

// What a resource sets.

func RequiredString(description string, rules ...validator.String) resourceschema.StringAttribute {
	return resourceschema.StringAttribute{Required: true, MarkdownDescription: description, Validators: rules}
}

// RequiredID is the ID of another object.
func RequiredID(description string, rule *IDRule, more ...planmodifier.String) resourceschema.StringAttribute {
	a := RequiredString(description, rule)
	a.PlanModifiers = append([]planmodifier.String{rule}, more...)
	return a
}

func OptionalString(description string, rules ...validator.String) resourceschema.StringAttribute {
	return resourceschema.StringAttribute{Optional: true, MarkdownDescription: description, Validators: rules}
}

// RequiredText is a text of a kind. State and plan keep their spelling if another one means the same.
func RequiredText[K Kind](description string) resourceschema.StringAttribute {
	return resourceschema.StringAttribute{
		CustomType: TextType[K]{}, Required: true, MarkdownDescription: description,
		Validators: TextRules[K](), PlanModifiers: []planmodifier.String{KeepSpelling[K]()},
	}
}

// OptionalText is a RequiredText that can be omitted.
func OptionalText[K Kind](description string) resourceschema.StringAttribute {
	a := RequiredText[K](description)
	a.Required = false
	a.Optional = true
	return a
}

// ConstantString is computed once.
func ConstantString(description string) resourceschema.StringAttribute {
	return resourceschema.StringAttribute{
		Computed: true, MarkdownDescription: description, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// ConstantTime is computed once.
func ConstantTime(description string) resourceschema.StringAttribute {
	a := ConstantString(description)
	a.CustomType = timetypes.RFC3339Type{}
	return a
}
