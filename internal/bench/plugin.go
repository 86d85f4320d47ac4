package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// plugin is what the plugins of a command took, as Linux's /proc tells it;
// nothing elsewhere.
type plugin struct {
	peak int64         // bytes, of the largest of them
	own  time.Duration // CPU, of all together
}

// tick is the unit of CPU time in /proc, the same on all that Go runs on.
const tick = 10 * time.Millisecond

// watchPlugin follows the processes that a process starts until the function
// that it returns is called.
func watchPlugin(pid int) func() plugin {
	var (
		peak int64
		own  = map[string]time.Duration{}
		wg   sync.WaitGroup
		done = make(chan struct{})
	)
	wg.Go(func() {
		every := time.NewTicker(5 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-done:
				return
			case <-every.C:
				for _, child := range childrenOf(pid) {
					peak = max(peak, peakOf(child))
					own[child] = max(own[child], cpuOf(child))
				}
			}
		}
	})
	return func() plugin {
		close(done)
		wg.Wait()
		p := plugin{peak: peak}
		for _, spent := range own {
			p.own += spent
		}
		return p
	}
}

// childrenOf leaves out what ended meanwhile, as its readers do.
func childrenOf(pid int) []string {
	var children []string
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, task := range tasks {
		raw, _ := os.ReadFile(task)
		children = append(children, strings.Fields(string(raw))...)
	}
	return children
}

func peakOf(pid string) int64 {
	raw, _ := os.ReadFile("/proc/" + pid + "/status")
	_, rest, _ := strings.Cut(string(raw), "VmHWM:")
	var kb int64
	_, _ = fmt.Sscan(rest, &kb)
	return kb * 1024
}

// cpuOf adds up utime and stime, the 14th and 15th field of stat; the second is
// a name in brackets, which may hold anything.
func cpuOf(pid string) time.Duration {
	raw, _ := os.ReadFile("/proc/" + pid + "/stat")
	fields := strings.Fields(string(raw)[strings.LastIndex(string(raw), ")")+1:])
	const user, system = 14 - 3, 15 - 3
	if len(fields) <= system {
		return 0
	}
	var ticks, more int64
	_, _ = fmt.Sscan(fields[user], &ticks)
	_, _ = fmt.Sscan(fields[system], &more)
	return time.Duration(ticks+more) * tick
}
