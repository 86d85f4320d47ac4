package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// DefaultFile is the data file of the provider's simulator mode in the default workspace.
const DefaultFile = ".reseller-simulator/default.json"

// doPath takes a move from `simulate do` on a running server. It is not part of the API, and no limit counts it.
const doPath = "/simulate/do"

// move is something that a person in the console or the platform does, as words of a command line.
type move struct {
	verb, words, about string
	do                 func(s *Simulator, w moveWords) error
}

// moveWords are the words after the verb, and the values of the flags among them.
type moveWords struct {
	subjects []string
	flags    map[string]string
}

var moves = []move{
	{"suspend", "HOST [-by platform] [-reason TEXT]", "suspend a private label, as the reseller or as the platform", func(s *Simulator, w moveWords) error {
		switch w.flags["by"] {
		case "platform":
			return s.SuspendByPlatform(w.subjects[0], w.flags["reason"])
		case "", "reseller":
			return s.SuspendInConsole(w.subjects[0], w.flags["reason"])
		default:
			return fmt.Errorf("-by is reseller or platform, not %s", w.flags["by"])
		}
	}},
	{"unsuspend", "HOST", "lift any suspension", func(s *Simulator, w moveWords) error { return s.UnsuspendInConsole(w.subjects[0]) }},
	{"dns", "HOST ok|missing|wrong", "change the DNS record of a host name", func(s *Simulator, w moveWords) error {
		change := map[string]func(string) error{"ok": s.CorrectDNS, "missing": s.BreakDNS, "wrong": s.MisdirectDNS}[w.subjects[1]]
		if change == nil {
			return fmt.Errorf("DNS is ok, missing or wrong, not %s", w.subjects[1])
		}
		return change(w.subjects[0])
	}},
	{"attach", "HOST CODE QUANTITY", "attach an add-on, regardless of the allowance", func(s *Simulator, w moveWords) error {
		id, err := s.idOf(addons, w.subjects[1])
		if err != nil {
			return err
		}
		n, err := amountOf(w.subjects[2])
		if err != nil {
			return err
		}
		return s.AttachInConsole(w.subjects[0], id, n)
	}},
	{"detach", "HOST CODE", "detach an add-on", func(s *Simulator, w moveWords) error {
		id, err := s.idOf(addons, w.subjects[1])
		if err != nil {
			return err
		}
		return s.DetachInConsole(w.subjects[0], id)
	}},
	{"assign", "HOST CODE", "assign a package, and remove the current one with its add-ons", func(s *Simulator, w moveWords) error {
		id, err := s.idOf(packages, w.subjects[1])
		if err != nil {
			return err
		}
		return s.AssignInConsole(w.subjects[0], id, nil)
	}},
	{"member", "add|remove|promote HOST EMAIL", "add or remove a member, or make one an admin", func(s *Simulator, w moveWords) error {
		host := w.subjects[1]
		email := w.subjects[2]
		switch w.subjects[0] {
		case "add":
			_, err := s.AddPersonInConsole(host, email, "Console", "Member")
			return err
		case "remove":
			return s.RemovePersonInConsole(host, email)
		case "promote":
			return s.MakeAdmin(host, email)
		default:
			return fmt.Errorf("a member is added, removed or promoted: add, remove or promote, not %s", w.subjects[0])
		}
	}},
	{"provision", "HOST", "provision a private label in the console", func(s *Simulator, w moveWords) error {
		host := w.subjects[0]
		owner := "owner@" + host
		if len(owner) > maxText {
			owner = "owner@" + host[strings.Index(host, ".")+1:]
		}
		_, err := s.AddConsoleLabel(host, owner)
		return err
	}},
	{"deprovision", "HOST", "deprovision a private label", func(s *Simulator, w moveWords) error { return s.DeprovisionInConsole(w.subjects[0]) }},
	{"move-away", "HOST", "move a private label to a different reseller, as the platform does", func(s *Simulator, w moveWords) error {
		return s.MoveAway(w.subjects[0])
	}},
	{"allowance", "ITEM NUMBER", "set the reseller's allowance of documents, seats, templates or notarizations", func(s *Simulator, w moveWords) error {
		n, err := amountOf(w.subjects[1])
		if err != nil {
			return err
		}
		return s.setAllowanceOf(w.subjects[0], n)
	}},
	{"fault", "ROUTE KIND [-after] [-times N]", faultsAbout, func(s *Simulator, w moveWords) error {
		times := 1
		if text, given := w.flags["times"]; given {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				return fmt.Errorf("-times is a whole number of at least 1, not %s", text)
			}
			times = n
		}
		return s.keepFault(w.subjects[0], w.subjects[1], w.flags["after"] != "", times)
	}},
}

var faultsAbout = "make requests fail: " + strings.Join(slices.Sorted(maps.Keys(faultKinds)), ", ")

// idOf finds an item of the first reseller by its code.
func (s *Simulator) idOf(k *kind, code string) (id string, err error) {
	err = s.look(func(d *data) error {
		i := first(*k.itemsOf(d.Resellers[0]), func(i *item) bool { return strings.EqualFold(i.Code, code) })
		if i == nil {
			return fmt.Errorf("no %s has the code %s", k.singular, code)
		}
		id = i.ID
		return nil
	})
	return id, err
}

func amountOf(text string) (float64, error) {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s is no whole number", text)
	}
	return float64(n), nil
}

// Do makes a move, as `simulate do` has it in its words.
func (s *Simulator) Do(words ...string) error {
	if len(words) == 0 {
		return errors.New("nothing to do; simulate do -h lists the verbs")
	}
	at := slices.IndexFunc(moves, func(m move) bool { return m.verb == words[0] })
	if at < 0 {
		return fmt.Errorf("unknown verb %s; simulate do -h lists the verbs", words[0])
	}
	m := moves[at]
	w := moveWords{flags: map[string]string{}}
	usage := fmt.Errorf("usage: simulate do %s %s", m.verb, m.words)
	for rest := words[1:]; len(rest) > 0; {
		name, isFlag := strings.CutPrefix(rest[0], "-")
		name = strings.TrimPrefix(name, "-")
		switch known := strings.Contains(m.words, "[-"+name+" ") || strings.Contains(m.words, "[-"+name+"]"); {
		case !isFlag:
			w.subjects, rest = append(w.subjects, rest[0]), rest[1:]
		case known && strings.Contains(m.words, "[-"+name+"]"):
			w.flags[name], rest = "yes", rest[1:]
		case known && len(rest) > 1:
			w.flags[name], rest = rest[1], rest[2:]
		default:
			return usage
		}
	}
	positional, _, _ := strings.Cut(m.words, " [")
	if len(w.subjects) != len(strings.Fields(positional)) {
		return usage
	}
	return m.do(s, w)
}

// serveMove makes a move on a running server.
func (s *Simulator) serveMove(w http.ResponseWriter, req *http.Request) {
	var words []string
	if err := json.NewDecoder(io.LimitReader(req.Body, maxHead)).Decode(&words); err != nil {
		http.Error(w, "The body is a list of words.", http.StatusBadRequest)
		return
	}
	if err := s.Do(words...); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

const doUsage = `Usage: simulate do [-data FILE | -url URL] VERB …

Does in the simulator what only the console or the platform can do. FILE is a data file, which a running command may use at the
same time. The default is ` + DefaultFile + `. URL is that of a running simulate.

`

// doCommand is `simulate do`.
func doCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	file := DefaultFile
	address := ""
	for len(args) > 1 && (args[0] == "-data" || args[0] == "-url") {
		if args[0] == "-data" {
			file = args[1]
		} else {
			address = args[1]
		}
		args = args[2:]
	}
	if len(args) == 0 || slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		_, _ = fmt.Fprint(stdout, doUsage)
		for _, m := range moves {
			_, _ = fmt.Fprintf(stdout, "  %s %s\n        %s\n", m.verb, m.words, m.about)
		}
		return exitOK
	}
	var err error
	if address != "" {
		err = sendMove(ctx, address, args)
	} else {
		err = doInFile(file, args) //nolint:contextcheck // it waits for the data file, within the store's own bound
	}
	if err != nil {
		_, _ = fmt.Fprintln(stderr, "simulate do:", err)
		return exitError
	}
	return exitOK
}

func doInFile(file string, words []string) error {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("%w; -data names another data file, -url a running simulator", err)
	}
	s, err := New(Options{File: file, DNSDelay: DefaultDNSDelay})
	if err != nil {
		return err
	}
	return errors.Join(s.Do(words...), s.Close())
}

func sendMove(ctx context.Context, address string, words []string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	body, err := json.Marshal(words)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(address, "/")+doPath, bytes.NewReader(body))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode == http.StatusNoContent {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(res.Body, maxHead))
	return errors.Join(err, errors.New(strings.TrimSpace(string(text))))
}
