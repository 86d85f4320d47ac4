package document

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPasscodes_AreBlanked(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`null`:                           `null`,
		`{"b":1.50,"a":"<&>"}`:           `{"a":"<&>","b":1.50}`,
		`[{"id":"d","passcode":"0042"}]`: `[{"id":"d","passcode":"(sensitive)"}]`,
		`[{"id":"d","passcode":73915082,"n":1.50}]`:             `[{"id":"d","n":1.50,"passcode":"(sensitive)"}]`,
		`[{"passcode":null},{"passcode":"1234"}]`:               `[{"passcode":null},{"passcode":"(sensitive)"}]`,
		`{"rows":{"x":[{"document":{"docPassword":{"a":1}}}]}}`: `{"rows":{"x":[{"document":{"docPassword":"(sensitive)"}}]}}`,
		`{"Pass_Code":"1","password":"2","passcodes":"3"}`:      `{"Pass_Code":"(sensitive)","passcodes":"3","password":"(sensitive)"}`,
	} {
		assert.Equal(t, want, withoutPasscodes(json.RawMessage(in)).ValueString(), "%s becomes", in)
	}
}
