package review_test

import (
	"os"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

func TestMain(m *testing.M) { os.Exit(providertest.Main(m)) }
