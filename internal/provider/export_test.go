package provider

import (
	"context"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// FrameworkMethods are the methods of the framework's server, and those of ours.
func FrameworkMethods() (framework, own reflect.Type) {
	p := newProvider("test")
	return reflect.TypeOf(providerserver.NewProtocol6(p)()), reflect.TypeOf(newFastPathServer(p))
}

// ReviewableTypes are the types of all resources and actions.
func ReviewableTypes() (resources, actions []string) {
	ctx := context.Background()
	p := newProvider("test")
	for _, made := range p.Resources(ctx) {
		var resp resource.MetadataResponse
		made().Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "reseller"}, &resp)
		resources = append(resources, resp.TypeName)
	}
	for _, made := range p.Actions(ctx) {
		var resp action.MetadataResponse
		made().Metadata(ctx, action.MetadataRequest{ProviderTypeName: "reseller"}, &resp)
		actions = append(actions, resp.TypeName)
	}
	slices.Sort(resources)
	slices.Sort(actions)
	return resources, actions
}
