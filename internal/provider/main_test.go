package provider_test

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(runTests(m)) }
