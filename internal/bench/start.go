package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/privatelabels/terraform-provider-reseller/internal/bench/schemafile"
)

// startToSchema starts a plugin as the CLI does, asks for its schema and returns
// how long that took. The floor serves the given file of schemas.
func startToSchema(ctx context.Context, binary, schema string) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary)
	cmd.Env = append(os.Environ(),
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		"PLUGIN_PROTOCOL_VERSIONS=5,6",
		schemafile.Variable+"="+schema)
	cmd.Stderr = io.Discard
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed, so this is always an error
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("%s prints no address: %w", binary, err)
	}
	// core version | protocol | network | address | grpc | ...
	hello := strings.Split(strings.TrimSpace(line), "|")
	const parts = 5
	if len(hello) < parts {
		return 0, fmt.Errorf("%s prints %q instead of its address", binary, line)
	}
	method := map[string]string{"5": "/tfplugin5.Provider/GetSchema", "6": "/tfplugin6.Provider/GetProviderSchema"}[hello[1]]
	target := hello[3]
	if hello[2] == "unix" {
		target = "unix:" + target
	}
	conn, err := grpc.NewClient(target, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return 0, err
	}
	// The response is not decoded: its fields stay unknown to an empty message.
	err = conn.Invoke(ctx, method, &emptypb.Empty{}, &emptypb.Empty{}, grpc.MaxCallRecvMsgSize(64<<20))
	took := time.Since(started)
	return took, errors.Join(err, conn.Close())
}
