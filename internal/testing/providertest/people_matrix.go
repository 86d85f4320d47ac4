package providertest

// PeopleCall is one call that writes members or branding of a private label: the configuration before, the
// configuration of the command under test, and the resulting books.
type PeopleCall struct {
	Route         string
	Before, After func(*LabelEnv) string
	Want          func(*LabelEnv) error
	Mails         int // to Bob, at most
}

func (w *LabelEnv) Converges(c Workspace, call PeopleCall) {
	w.T.Helper()
	for address, i := range c.State() {
		if i.Status == "tainted" {
			w.T.Errorf("%s is tainted", address)
		}
	}
	c.Apply().WantOK(w.T)
	c.WantEmptyPlan()
	if err := call.Want(w); err != nil {
		w.T.Error(err)
	}
	if n := w.Mails(BobEmail); n > call.Mails {
		w.T.Errorf("%d emails, want %d at most", n, call.Mails)
	}
}
