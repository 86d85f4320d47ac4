package client

import (
	"context"
)

// Dashboard returns the overview of the reseller (§4.2). Its slug is nil if the API key acts for no reseller. It has no
// error codes of its own.
func (c *Client) Dashboard(ctx context.Context) (*Dashboard, error) {
	var out Dashboard
	if err := c.do(ctx, &request{op: "read the dashboard", route: routeDashboard}, &out); err != nil {
		return nil, err
	}
	return &out, nil
}
