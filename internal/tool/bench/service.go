package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// service is a simulator over HTTP, in which a minute's window of the rate limits takes a second.
type service struct {
	sim    *simulator.Simulator
	server *httptest.Server
}

func newService() (*service, error) {
	sim, err := simulator.New(simulator.Options{Fast: true})
	if err != nil {
		return nil, err
	}
	return &service{sim: sim, server: httptest.NewServer(sim)}, nil
}

func (s *service) close() {
	s.server.Close()
	_ = s.sim.Close()
}

// folder is a directory in which the CLI and this provider use the simulator. Its configuration has the objects.
func (s *service) folder(h *harness, name string, objects []object) (*folder, error) {
	first := objects[0]
	var config strings.Builder
	fmt.Fprintf(&config, "terraform {\n  required_providers {\n    reseller = { source = %q }\n  }\n}\n", registry+"privatelabels/reseller")
	// With for_each, the CLI evaluates all objects again for each object, in the time of many plugins.
	config.WriteString("locals {\n  objects = jsondecode(file(\"objects.json\"))\n}\n")
	fmt.Fprintf(&config, "resource %q \"x\" {\n  count = length(local.objects)\n", first.resource)
	for _, attribute := range slices.Sorted(maps.Keys(first.config)) {
		fmt.Fprintf(&config, "  %s = local.objects[count.index].%[1]s\n", attribute)
	}
	config.WriteString("}\n")
	f, err := h.folder(name, h.ours, config.String(),
		"RESELLER_BASE_URL="+s.server.URL,
		"RESELLER_UPLOAD_URL="+s.server.URL+simulator.UploadPrefix,
		"RESELLER_API_KEY="+s.sim.APIKey(),
		"RESELLER_TOKEN_CACHE_DIR="+filepath.Join(h.dir, "work", name, "tokens"))
	if err != nil {
		return nil, err
	}
	configs := make([]map[string]any, len(objects))
	for i, o := range objects {
		configs[i] = o.config
	}
	raw, err := json.Marshal(configs)
	if err != nil {
		return nil, err
	}
	return f, f.write("objects.json", string(raw))
}

// declare is a folder whose state has n objects of a fixture, imported or created.
func (s *service) declare(ctx context.Context, h *harness, name string, fix fixture, n int) (*folder, error) {
	objects, err := fix.seed(s.sim, n)
	if err != nil {
		return nil, err
	}
	f, err := s.folder(h, name, objects)
	if err != nil {
		return nil, err
	}
	// One block for all: the CLI takes the square of their number of time over a block each.
	ids := map[string]any{}
	for i, o := range objects {
		if o.id != "" {
			ids[strconv.Itoa(i)] = map[string]any{"index": i, "id": o.id}
		}
	}
	raw, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	imports := "import {\n  for_each = jsondecode(file(\"ids.json\"))\n  to       = " + fix.resource + ".x[each.value.index]\n  id       = each.value.id\n}\n"
	if err := errors.Join(f.write("ids.json", string(raw)), f.write("imports.tf", imports)); err != nil {
		return nil, err
	}
	if _, err := f.apply(ctx); err != nil {
		return nil, err
	}
	s.sim.ResetJournal()
	return f, os.Remove(filepath.Join(f.dir, "imports.tf"))
}

// calls are the API calls since the last reset, by the limits of §8.
type calls struct {
	console, billing, exchanges int
	rejected                    int // HTTP 429
}

func countCalls(journal []simulator.Call) (c calls) {
	for _, call := range journal {
		switch {
		case call.Status == 429:
			c.rejected++
		case call.Route == "POST /api/v1/auth/token":
			c.exchanges++
		case strings.Contains(call.Route, "/billing/"), strings.Contains(call.Route, "/package"), strings.HasSuffix(call.Route, "/points"):
			c.billing++
		default:
			c.console++
		}
	}
	return c
}
