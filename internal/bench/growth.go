package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// grown is what a plan without changes costs at one size.
type grown struct {
	labels, calls int
	cpu, own      float64 // seconds: CLI and provider, and the provider of that
	alone         float64 // seconds that the CLI alone needs for as many
	peak          float64 // bytes, of the provider
}

// measureGrowth: the same plan over more and more labels, as a table and a plot.
func measureGrowth(ctx context.Context, b *bed, t *table, o options) error {
	if !o.growth {
		return nil
	}
	t.head("Cost of growth: a plan without changes", "settled labels", "calls", "CPU, CLI and provider", "of that, the provider", "the CLI alone, over as many `terraform_data`", "peak memory of the provider", "budget")
	points := make([]grown, 0, 4)
	for _, n := range []int{10, 100, 1000, 5000} {
		p, err := growTo(ctx, b, n)
		if err != nil {
			return err
		}
		points = append(points, p)
		t.row(fmt.Sprint(n), fmt.Sprint(p.calls), fmt.Sprintf("%.2f s", p.cpu), fmt.Sprintf("%.2f s", p.own), fmt.Sprintf("%.2f s", p.alone), megabytes(int64(p.peak)), t.kept(fmt.Sprintf("%d call", budgetCalls), p.calls <= budgetCalls))
	}
	if o.plot == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(o.plot), 0o750); err != nil {
		return err
	}
	return os.WriteFile(o.plot, []byte(plotOf(points)), 0o600)
}

func growTo(ctx context.Context, b *bed, n int) (grown, error) {
	s, err := newService(simulator.Options{Fast: true}, n)
	if err != nil {
		return grown{}, err
	}
	defer s.close()
	f, err := b.labels(ctx, fmt.Sprintf("growth-%d", n), s, 1)
	if err != nil {
		return grown{}, err
	}
	if err := f.multiply(s.sim.Labels()); err != nil {
		return grown{}, err
	}
	s.sim.ResetJournal()
	u, err := f.emptyPlan(ctx)
	if err != nil {
		return grown{}, err
	}
	_, total, _ := s.calls()
	alone := b.folder(fmt.Sprintf("growth-data-%d", n))
	if err := alone.write("main.tf", fmt.Sprintf("resource \"terraform_data\" \"x\" {\n  count = %d\n}\n", n)); err != nil {
		return grown{}, err
	}
	if err := alone.settle(ctx); err != nil {
		return grown{}, err
	}
	floor, err := alone.emptyPlan(ctx)
	return grown{labels: n, calls: total, cpu: cpu(u), own: u.own.Seconds(), alone: cpu(floor), peak: peak(u)}, err
}

// multiply makes the state of one label one of all: the CLI needs minutes to
// import some thousand.
func (f *folder) multiply(labels []simulator.LabelView) error {
	path := filepath.Join(f.dir, "terraform.tfstate")
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var state map[string]any
	if err := json.Unmarshal(raw, &state); err != nil {
		return err
	}
	resources, _ := state["resources"].([]any)
	if len(resources) != 1 {
		return errors.New("the state does not have one resource")
	}
	resource, _ := resources[0].(map[string]any)
	instances, _ := resource["instances"].([]any)
	first, err := json.Marshal(instances[0])
	if err != nil {
		return err
	}
	all := make([]any, 0, len(labels))
	for i, l := range labels {
		instance, err := instanceOf(first, i, l)
		if err != nil {
			return err
		}
		all = append(all, instance)
	}
	resource["instances"] = all
	if raw, err = json.Marshal(state); err != nil {
		return err
	}
	config, err := os.ReadFile(filepath.Join(f.dir, "main.tf"))
	if err != nil {
		return err
	}
	text := replaceCount(string(config), len(labels))
	return errors.Join(os.WriteFile(path, raw, 0o600), f.write("main.tf", text))
}

// instanceOf is a copy of the first instance for another label.
func instanceOf(first []byte, index int, l simulator.LabelView) (map[string]any, error) {
	var instance map[string]any
	if err := json.Unmarshal(first, &instance); err != nil {
		return nil, err
	}
	instance["index_key"] = index
	attributes, _ := instance["attributes"].(map[string]any)
	client := fmt.Sprintf("client-%04d.example", index+1)
	attributes["id"], attributes["domain"], attributes["app_name"] = l.ID, l.Host, fmt.Sprintf("Client %d", index+1)
	owner, _ := attributes["owner"].(map[string]any)
	owner["email"], owner["last_name"] = "person-1@"+client, fmt.Sprintf("of Client %d", index+1)
	private, err := privateOf(fmt.Sprint(instance["private"]), l)
	instance["private"] = private
	return instance, err
}

// privateOf puts the label into the private state: base64 of a map of bytes.
func privateOf(text string, l simulator.LabelView) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", err
	}
	var keys map[string][]byte
	if err := json.Unmarshal(raw, &keys); err != nil {
		return "", err
	}
	for key, value := range keys {
		var memory map[string]any
		if err := json.Unmarshal(value, &memory); err != nil {
			return "", err
		}
		memory["id"], memory["host"] = l.ID, l.Host
		if keys[key], err = json.Marshal(memory); err != nil {
			return "", err
		}
	}
	raw, err = json.Marshal(keys)
	return base64.StdEncoding.EncodeToString(raw), err
}
