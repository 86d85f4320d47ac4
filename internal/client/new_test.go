package client

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

func TestNew_RejectsPlainHTTP(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://api.example": true, "http://localhost:1": true, "http://LOCALHOST": true, "http://127.0.0.1": true, "http://127.3.2.1:8": true, "http://[::1]:1": true,
		"http://api.localhost": false, "http://localhost.": false, "http://a.localhost.example": false, "http://10.0.0.1": false, "http://127.1": false,
		"http://0.0.0.0": false, "http://[::]": false, "http://127.0.0.1.example": false, "http://api.example": false, "http://": false,
	} {
		_, err := New(Config{BaseURL: address, AccessToken: transporttest.GivenToken})
		assert.Equal(t, want, err == nil, "%s: %v", address, err)
		_, err = New(Config{BaseURL: "https://api.example", UploadURL: address, AccessToken: transporttest.GivenToken})
		assert.Equal(t, want, err == nil, "%s for uploads: %v", address, err)
	}
}
