package provider

import (
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
)

// FrameworkMethods are the methods of the framework's server, and those of ours.
func FrameworkMethods() (framework, shortPath reflect.Type) {
	p := newProvider("test", Options{})
	return reflect.TypeOf(providerserver.NewProtocol6(p)()), reflect.TypeOf(newShortPath(p))
}
