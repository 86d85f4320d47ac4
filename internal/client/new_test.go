package client

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/privatelabels/terraform-provider-reseller/internal/testing/transporttest"
)

// Plain http reaches this machine only, and no error shows a password or the key.
func TestNew(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://api.example": true, "https://api.example/": true, "https://api.example/folder": true, "http://localhost:1": true, "http://LOCALHOST": true,
		"http://127.0.0.1": true, "http://127.3.2.1:8": true, "http://[::1]:1": true,
		"http://api.localhost": false, "http://localhost.": false, "http://a.localhost.example": false, "http://10.0.0.1": false, "http://127.1": false,
		"http://0.0.0.0": false, "http://[::]": false, "http://127.0.0.1.example": false, "http://api.example": false, "http://": false,
		"api.example": false, "ftp://api.example": false, "https://user:password@api.example": false, "https://api.example?x=1": false,
		"https://api.example#x": false, "https://": false, "https://api.example:x/%zz": false,
	} {
		_, err := New(Config{BaseURL: address, APIKey: transporttest.Key})
		_, uploadErr := New(Config{BaseURL: "https://api.example", UploadURL: address, AccessToken: transporttest.GivenToken})
		for _, err := range []error{err, uploadErr} {
			assert.Equal(t, want, err == nil, "%s: %v", address, err)
			if err != nil {
				assert.NotContains(t, err.Error(), "password")
				assert.NotContains(t, err.Error(), transporttest.Key)
			}
		}
	}
	_, err := New(Config{APIKey: transporttest.Key})
	assert.Error(t, err, "no address")
	_, err = New(Config{BaseURL: "https://api.example"})
	assert.Error(t, err, "nothing to act as")
}
