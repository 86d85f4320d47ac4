package coretest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider"
	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
	"github.com/privatelabels/terraform-provider-reseller/internal/testing/providertest"
)

// core drives the protocol server as the CLI does, in milliseconds instead of seconds: it refreshes, plans with unknown
// values, keeps the plan, and applies it in the order of the dependencies. Its functions say what they copy from the
// CLI; some walks of the real CLI check it.
type core struct {
	// mu is held by who runs the driver, but not during a call of the provider.
	mu       sync.Mutex
	parallel bool // 10 at a time; otherwise one after another, in a random order

	w      *providertest.TestEnv
	shapes *tfprotov6.GetProviderSchemaResponse
	config *tfprotov6.DynamicValue
	server tfprotov6.ProviderServer
	// cleansUp: the latest plan destroys everything.
	cleansUp   bool
	hasApplied bool // this process
	rand       *rand.Rand
	state      map[string]*instanceState
	attempted  *corePlan // the latest plan, also one with an error
	deposed    int       // objects that applies have deposed so far
	late       map[string]builtIn
	data       map[string]tftypes.Value // data sources, as last read

	halted atomic.Bool     // Ctrl-C: the CLI begins nothing further
	kill   *kill           // nil: no process is killed
	killed <-chan struct{} // closed when the process of the provider is killed
}

// instanceState is an object in state.
type instanceState struct {
	typ      string
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	tainted  bool
	before   bool // create_before_destroy, its own or inherited
	deps     []string
}

const (
	lateType   = "terraform_data"
	dataPrefix = "data."
)

func newCore(w *providertest.TestEnv, random *rand.Rand) (*core, error) {
	c := newIdleCore(random)
	c.w = w
	return c, c.start()
}

// newIdleCore has no provider yet.
func newIdleCore(random *rand.Rand) *core {
	c := &core{rand: random, state: map[string]*instanceState{}, late: map[string]builtIn{}, data: map[string]tftypes.Value{}}
	c.mu.Lock()
	return c
}

// shapes are the schemas, which are the same in each process.
var shapes = sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
	return provider.NewServer("test", provider.Options{})().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
})

func (c *core) isKilled() bool {
	select {
	case <-c.killed:
		return true
	default:
		return false
	}
}

// interrupt is Ctrl-C: the CLI asks the provider to cancel the requests under way, and begins nothing further.
func (c *core) interrupt() {
	c.halted.Store(true)
	_, _ = c.server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{})
}

// start is a new process of the provider.
func (c *core) start() error {
	ctx := context.Background()
	if c.kill != nil {
		c.killed = c.kill.begin()
	}
	server, err := c.w.Server()
	if err != nil {
		return err
	}
	c.server, c.hasApplied = server, false
	if c.shapes == nil {
		if c.shapes, err = shapes(); err != nil {
			return err
		}
		if err := c.configureWith(object{
			"base_url": simulator.BaseURL, "api_key": c.w.APIKey(),
			"signing": object{"url": simulator.SigningURL, "user_api_key": c.w.Sim.SigningAPIKey()},
		}); err != nil {
			return err
		}
	}
	resp, err := c.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{Config: c.config})
	if err != nil {
		return err
	}
	if found := providertest.FromProtocol("", resp.Diagnostics); providertest.AnyErrors(found) {
		return fmt.Errorf("%v", found)
	}
	return nil
}

// configureWith sets the provider block of the processes that start later.
func (c *core) configureWith(settings object) error {
	value, err := evaluateBlock(settings, shapeOf(c.shapes.Provider), nil)
	if err != nil {
		return err
	}
	c.config = providertest.Dynamic(value)
	return nil
}

func (c *core) schema(typ string) *tfprotov6.Schema { return c.shapes.ResourceSchemas[typ] }

// instances are the managed objects in state, without deposed ones.
func (c *core) instances() map[string]map[string]any {
	out := map[string]map[string]any{}
	for address, stored := range c.state {
		if !isDeposed(address) {
			out[address], _ = providertest.Plain(stored.value).(map[string]any)
		}
	}
	return out
}
