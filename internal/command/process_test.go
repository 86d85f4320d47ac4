package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTuneGC(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		env  map[string]string
		want int
	}{
		"nothing set":    {nil, gcPercent},
		"GOGC set":       {map[string]string{"GOGC": "50"}, 0},
		"GOMEMLIMIT set": {map[string]string{"GOMEMLIMIT": "1GiB"}, 0},
	} {
		got := 0
		tuneGC(func(name string) string { return tc.env[name] }, func(percent int) int { got = percent; return 0 })
		assert.Equal(t, tc.want, got, "%s: set", name)
	}
}

func TestQuietSDK(t *testing.T) {
	t.Parallel()
	off := map[string]string{"TF_LOG_SDK": "OFF", "TF_LOG_SDK_FRAMEWORK": "OFF", "TF_LOG_SDK_PROTO": "OFF"}
	for name, tc := range map[string]struct {
		environ []string
		want    map[string]string
	}{
		"nothing set":                  {nil, off},
		"empty":                        {[]string{"TF_LOG="}, off},
		"off":                          {[]string{"TF_LOG=off"}, off},
		"the CLI's own log":            {[]string{"TF_LOG_CORE=TRACE"}, off},
		"a place for logs":             {[]string{"TF_LOG_PATH=/tmp/log", "TF_LOG_PATH_MASK=x"}, off},
		"something else":               {[]string{"HOME=/TRACE", "XTF_LOG=TRACE"}, off},
		"all logs":                     {[]string{"TF_LOG=TRACE"}, map[string]string{}},
		"JSON logs":                    {[]string{"HOME=/", "TF_LOG=JSON"}, map[string]string{}},
		"logs of providers":            {[]string{"TF_LOG_PROVIDER=info"}, map[string]string{}},
		"logs of this provider":        {[]string{"TF_LOG_PROVIDER_RESELLER=DEBUG"}, map[string]string{}},
		"logs of the SDK":              {[]string{"TF_LOG_SDK=TRACE"}, map[string]string{}},
		"logs of a part of the SDK":    {[]string{"TF_LOG_SDK_PROTO=TRACE"}, map[string]string{}},
		"one off, another on":          {[]string{"TF_LOG=OFF", "TF_LOG_PROVIDER=WARN"}, map[string]string{}},
		"logs of a test of the plugin": {[]string{"TF_ACC_LOG_PATH=/tmp/log"}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := map[string]string{}
			if err := quietSDK(tc.environ, func(k, v string) error { set[k] = v; return nil }); err != nil {
				t.Fatal(err)
			}
			assert.Equal(t, tc.want, set)
		})
	}
}
