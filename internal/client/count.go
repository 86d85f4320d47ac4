package client

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Count is a whole number.
type Count int64

// UnmarshalJSON decodes a JSON number and drops its fraction; null leaves c unchanged. 1700000000000, 1.7e12 and
// 1700000000000.0 are the same number, and the API may use any of these notations.
func (c *Count) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	var number json.Number
	if raw[0] == '"' || json.Unmarshal(raw, &number) != nil {
		return fmt.Errorf("%.40s is not a number", raw)
	}
	if whole, err := strconv.ParseInt(number.String(), 10, 64); err == nil {
		*c = Count(whole)
		return nil
	}
	f, err := number.Float64()
	if err != nil || math.Abs(f) >= math.MaxInt64 {
		return fmt.Errorf("%s is out of range", number)
	}
	*c = Count(f)
	return nil
}
