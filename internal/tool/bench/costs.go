package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/bench/schemafile"
)

// contender is a plan that takes turns with others.
type contender struct {
	folder              *folder
	cpu, together, peak []float64 // CPU seconds of the plugin, with the CLI; bytes
}

// takeTurns runs each plan once in each round, so that a temporary load on the machine affects all of them.
func takeTurns(ctx context.Context, rounds int, contenders ...*contender) error {
	for range rounds {
		for _, c := range contenders {
			sample, err := c.folder.emptyPlan(ctx)
			if err != nil {
				return err
			}
			c.cpu = append(c.cpu, sample.plugin.CPU.Seconds())
			c.together = append(c.together, (sample.cli + sample.plugin.CPU).Seconds())
			c.peak = append(c.peak, float64(sample.plugin.Peak))
		}
	}
	return nil
}

// measureFloor compares the plugin's CPU time with the floor's, for each resource type.
func measureFloor(ctx context.Context, h *harness, t *table, o options) error {
	t.head(fmt.Sprintf("CPU of the plugin in a plan without changes over %d objects, in turns with the floor", o.labels),
		"resource", "plugin, median", "floor, median", "ratio of medians", "of minimums", "peak memory, plugin and floor", "budget")
	for _, fix := range fixtures {
		if err := compareWithFloor(ctx, h, t, o, fix); err != nil {
			return fmt.Errorf("%s: %w", fix.resource, err)
		}
	}
	return nil
}

func compareWithFloor(ctx context.Context, h *harness, t *table, o options, fix fixture) error {
	s, err := newService()
	if err != nil {
		return err
	}
	defer s.close()
	f, err := s.declare(ctx, h, "floor-"+fix.resource, fix, o.labels)
	if err != nil {
		return err
	}
	ours, floor := &contender{folder: f}, &contender{folder: f.with(h.floor)}
	var c comparison
	// A ratio over its budget counts only after further rounds.
	for range 3 {
		if err := takeTurns(ctx, o.rounds, ours, floor); err != nil {
			return err
		}
		if c = (comparison{ours: ours.cpu, floor: floor.cpu}); c.keeps(fix.budget) {
			break
		}
	}
	t.row("`"+fix.resource+"`", seconds(median(ours.cpu)), seconds(median(floor.cpu)), times(c.ofMedians()), times(c.ofMinimums()),
		megabytes(median(ours.peak))+", "+megabytes(median(floor.peak)), t.budget(fmt.Sprintf("at most %.1fx", fix.budget), c.keeps(fix.budget)))
	return nil
}

// measureTime compares private labels with as many objects of hashicorp/time.
func measureTime(ctx context.Context, h *harness, t *table, o options) error {
	if h.time == "" {
		return nil
	}
	s, err := newService()
	if err != nil {
		return err
	}
	defer s.close()
	f, err := s.declare(ctx, h, "time-own", fixtures[0], o.labels)
	if err != nil {
		return err
	}
	static, err := h.folder("time", h.time, fmt.Sprintf("terraform {\n  required_providers {\n    time = { source = %q }\n  }\n}\n"+
		"resource \"time_static\" \"x\" {\n  count = %d\n}\n", registry+"hashicorp/time", o.labels))
	if err != nil {
		return err
	}
	if _, err := static.apply(ctx); err != nil {
		return err
	}
	ours := &contender{folder: f}
	other := &contender{folder: static}
	if err := takeTurns(ctx, o.rounds, ours, other); err != nil {
		return err
	}
	t.head(fmt.Sprintf("A plan without changes over %d private labels, in turns with `time_static` of hashicorp/time", o.labels),
		"", "CPU of the plugin", "with the CLI", "peak memory of the plugin")
	for i, name := range []string{"this provider", "hashicorp/time"} {
		c := []*contender{ours, other}[i]
		t.row(name, seconds(median(c.cpu)), seconds(median(c.together)), megabytes(median(c.peak)))
	}
	t.row("ratio", times(median(ours.cpu)/median(other.cpu)), times(median(ours.together)/median(other.together)), "")
	return nil
}

// measureStart measures the time from the start of the plugin to its schema, and the size of its binary.
func measureStart(ctx context.Context, h *harness, t *table, o options) error {
	binary, err := os.Stat(h.ours)
	if err != nil {
		return err
	}
	t.head("Start and size", "", "start to schema, median", "binary, stripped", "budget")
	for _, b := range []struct {
		name, path string
		size       float64 // of this provider's binary, as a multiple of it
	}{{"this provider", h.ours, 1}, {"the floor", h.floor, budgetFloorSize}, {"hashicorp/time", h.time, budgetTimeSize}} {
		if b.path == "" {
			continue
		}
		var starts []float64
		for range 4*o.rounds + 1 {
			took, err := startToSchema(ctx, b.path, h.schema)
			if err != nil {
				return err
			}
			starts = append(starts, took.Seconds())
		}
		info, err := os.Stat(b.path)
		if err != nil {
			return err
		}
		start := median(starts)
		ratio := float64(binary.Size()) / float64(info.Size())
		budget := t.budget(fmt.Sprintf("this provider's binary at most %.2fx (is %s)", b.size, times(ratio)), ratio <= b.size)
		if b.path == h.ours {
			budget = t.budget(fmt.Sprintf("start under %.0f ms", budgetStart*1000), start < budgetStart)
		}
		t.row(b.name, fmt.Sprintf("%.0f ms", start*1000), megabytes(float64(info.Size())), budget)
	}
	return nil
}

// startToSchema starts a plugin as the CLI does, requests its schema and returns how long that took. The floor serves
// the given file of schemas.
func startToSchema(ctx context.Context, binary, schema string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(), schemafile.Variable+"="+schema)
	started := time.Now()
	client := plugin.NewClient(&plugin.ClientConfig{
		Cmd: cmd, Logger: hclog.NewNullLogger(), AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey: "TF_PLUGIN_MAGIC_COOKIE", MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{5: {"provider": connection{}}, 6: {"provider": connection{}}},
	})
	defer client.Kill()
	rpc, err := client.Client()
	if err != nil {
		return 0, err
	}
	raw, err := rpc.Dispense("provider")
	if err != nil {
		return 0, err
	}
	conn, ok := raw.(*grpc.ClientConn)
	if !ok {
		return 0, fmt.Errorf("%s has a connection of the type %T", binary, raw)
	}
	method := map[int]string{5: "/tfplugin5.Provider/GetSchema", 6: "/tfplugin6.Provider/GetProviderSchema"}[client.NegotiatedVersion()]
	// The response is not decoded: its fields stay unknown to an empty message.
	err = conn.Invoke(ctx, method, &emptypb.Empty{}, &emptypb.Empty{}, grpc.MaxCallRecvMsgSize(64<<20))
	return time.Since(started), err
}

// connection is a plugin as its connection.
type connection struct{ plugin.NetRPCUnsupportedPlugin }

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error {
	return nil
}

func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}
