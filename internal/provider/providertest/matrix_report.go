package providertest

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// Titles of the tables.
const (
	MatrixOfLabels  = "A private label"
	MatrixOfCatalog = "Packages, add-ons and assignments"
	MatrixOfPeople  = "People and looks"
	MatrixOfSigning = "Documents"
)

// MatrixReport has the outcome of every writing call under every fault: one table for each kind of object, one row for
// each fault and kill.
type MatrixReport struct {
	mu    sync.Mutex
	title string
	cells map[string]map[string]string // by fault, then by call
}

var matrixReports struct {
	mu  sync.Mutex
	all map[string]*MatrixReport
}

// NewMatrixReport is the table with a title; several tests may fill it.
func NewMatrixReport(t *testing.T, title string) *MatrixReport {
	t.Helper()
	matrixReports.mu.Lock()
	defer matrixReports.mu.Unlock()
	if matrixReports.all == nil {
		matrixReports.all = map[string]*MatrixReport{}
	}
	r, known := matrixReports.all[title]
	if !known {
		r = &MatrixReport{title: title, cells: map[string]map[string]string{}}
		matrixReports.all[title] = r
	}
	return r
}

// writeMatrixReports writes all tables to the file that RESELLER_MATRIX_REPORT names, after all tests.
func writeMatrixReports() error {
	path := os.Getenv("RESELLER_MATRIX_REPORT")
	if path == "" {
		return nil
	}
	matrixReports.mu.Lock()
	defer matrixReports.mu.Unlock()
	var b strings.Builder
	for _, title := range sortedKeys(matrixReports.all) {
		fmt.Fprintf(&b, "#### %s\n\n%s\n", title, matrixReports.all[title])
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}

func (r *MatrixReport) Add(call, fault string, lasting bool, outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cells[fault] == nil {
		r.cells[fault] = map[string]string{}
	}
	if lasting {
		call += " (lasting)"
	}
	r.cells[fault][call] = outcome
}

// AddKill records the outcome after a SIGKILL.
func (r *MatrixReport) AddKill(call, whom string, after bool, outcome string) {
	when := "before"
	if after {
		when = "after"
	}
	r.Add(call, "SIGKILL of "+whom+" "+when, false, outcome)
}

func (r *MatrixReport) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	columns := map[string]bool{}
	for _, row := range r.cells {
		for call := range row {
			columns[call] = true
		}
	}
	calls := sortedKeys(columns)
	var b strings.Builder
	fmt.Fprintf(&b, "| fault | %s |\n|---%s|\n", strings.Join(calls, " | "), strings.Repeat("|---", len(calls)))
	for _, fault := range sortedKeys(r.cells) {
		fmt.Fprintf(&b, "| %s |", fault)
		for _, call := range calls {
			fmt.Fprintf(&b, " %s |", r.cells[fault][call])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// WantCodeOf asserts that the error of a permanent fault contains the API's code, if the fault has one.
func (r Result) WantCodeOf(t *testing.T, fault simulator.Fault) {
	t.Helper()
	codes := map[simulator.FaultKind]string{
		simulator.FaultServerError:  "INTERNAL_SERVER_ERROR",
		simulator.FaultUnauthorized: "UNAUTHORIZED",
		simulator.FaultRateLimit:    "rate limit is exhausted",
	}
	if code, has := codes[fault.Kind]; has && r.Code != 0 {
		r.WantText(t, code)
	}
}
