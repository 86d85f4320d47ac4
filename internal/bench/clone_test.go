package main

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

func privateOf(t *testing.T, value string) string {
	t.Helper()
	raw, err := json.Marshal(map[string][]byte{"memory": []byte(value)})
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(raw)
}

func TestMultiply_CopiesInstances(t *testing.T) {
	t.Parallel()
	state := `{"version":4,"lineage":"l","resources":[{"type":"reseller_member","instances":[
		{"index_key":0,"schema_version":1,"attributes":{"id":"aa","email":"m-1@client.example","first_name":null},"identity":{"id":"aa"},"private":"` + privateOf(t, `{"id":"aa","host":"h"}`) + `"}]}]}`
	raw, err := multiply([]byte(state), [][]string{{"aa", "m-1"}, {"bb", "m-2"}, {"cc", "m-3"}})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Version   int
		Lineage   string
		Resources []struct {
			Instances []struct {
				Index      int               `json:"index_key"`
				Attributes map[string]any    `json:"attributes"`
				Identity   map[string]string `json:"identity"`
				Private    string            `json:"private"`
			}
		}
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != 4 || got.Lineage != "l" || len(got.Resources) != 1 || len(got.Resources[0].Instances) != 3 {
		t.Fatalf("got %s", raw)
	}
	for i, want := range []struct{ id, email string }{{"aa", "m-1@client.example"}, {"bb", "m-2@client.example"}, {"cc", "m-3@client.example"}} {
		in := got.Resources[0].Instances[i]
		if in.Index != i || in.Attributes["id"] != want.id || in.Attributes["email"] != want.email || in.Identity["id"] != want.id {
			t.Errorf("instance %d is %+v", i, in)
		}
		if first, there := in.Attributes["first_name"]; !there || first != nil {
			t.Errorf("instance %d: a null became %v", i, first)
		}
		if private := privateOf(t, `{"id":"`+want.id+`","host":"h"}`); in.Private != private {
			t.Errorf("instance %d: private state %s, want %s", i, in.Private, private)
		}
	}
}

func TestMultiply_RejectsOtherStates(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]string{
		"no JSON":         `state`,
		"no resource":     `{"resources":[]}`,
		"two resources":   `{"resources":[{"instances":[{}]},{"instances":[{}]}]}`,
		"two instances":   `{"resources":[{"instances":[{},{}]}]}`,
		"private no text": `{"resources":[{"instances":[{"private":"?"}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, err := multiply([]byte(state), [][]string{{"a"}, {"b"}}); err == nil {
				t.Errorf("got %s", out)
			}
		})
	}
}

// The texts by which the state is copied distinguish every two objects, and the configuration declares as many objects
// as the simulator has.
func TestFixtures_SeedObjects(t *testing.T) {
	t.Parallel()
	const n = 12
	for _, fix := range fixtures {
		t.Run(fix.resource, func(t *testing.T) {
			t.Parallel()
			s, err := newService(simulator.Options{Fast: true}, 0)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.close)
			made, err := fix.seed(s.sim, n)
			if err != nil {
				t.Fatal(err)
			}
			if len(made.texts) != n {
				t.Errorf("%d objects, want %d", len(made.texts), n)
			}
			seen := map[string]bool{}
			for i, texts := range made.texts {
				if len(texts) != len(made.texts[0]) {
					t.Errorf("object %d has %d texts, the first has %d", i, len(texts), len(made.texts[0]))
				}
				for _, text := range texts {
					if seen[text] || text == "" {
						t.Errorf("object %d has the text %q of another", i, text)
					}
					seen[text] = true
				}
			}
			if !strings.Contains(made.config, `resource "`+fix.resource+`" "x"`) || strings.Count(made.config, "%d") != 1 {
				t.Errorf("the configuration is %s", made.config)
			}
		})
	}
}
