package client

import "context"

// turn is a mutex whose waiting ends with the context. It goes to those who
// wait in the order in which they came.
type turn chan struct{}

func newTurn() turn {
	t := make(turn, 1)
	t.give()
	return t
}

func (t turn) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t:
		return nil
	}
}

func (t turn) give() { t <- struct{}{} }
