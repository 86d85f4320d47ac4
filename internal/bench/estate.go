package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// estate is a configuration that adopts all that a seeded service has.
const estate = `
terraform {
  required_providers {
    reseller = { source = "privatelabels/reseller" }
  }
}

data "reseller_private_labels" "all" {}
data "reseller_packages" "all" {}
data "reseller_addons" "all" {}
data "reseller_private_label" "one" {
  for_each = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  id       = each.value
}
data "reseller_members" "of" {
  for_each         = { for l in data.reseller_private_labels.all.private_labels : l.domain => l.id }
  private_label_id = each.value
}

locals {
  packages = { for p in data.reseller_packages.all.packages : p.code => p }
  addons   = { for a in data.reseller_addons.all.addons : a.code => a }
  assigned = { for host, l in data.reseller_private_label.one : host => l if l.assignment != null }
  people = merge([
    for host, found in data.reseller_members.of : { for m in found.members : "${host}/${m.email}" => merge(m, { label = found.private_label_id }) }
  ]...)
}
`

// adopted is what the estate becomes: only this part is planned afterwards.
const adopted = `
import {
  for_each = data.reseller_private_label.one
  to       = reseller_private_label.all[each.key]
  id       = each.value.id
}
resource "reseller_private_label" "all" {
  for_each = data.reseller_private_label.one
  domain   = each.key
}
import {
  for_each = local.packages
  to       = reseller_package.all[each.key]
  id       = each.value.id
}
resource "reseller_package" "all" {
  for_each = local.packages
  code     = each.key
  name     = each.value.name
  currency = each.value.currency
  active   = each.value.active
}
import {
  for_each = local.addons
  to       = reseller_addon.all[each.key]
  id       = each.value.id
}
resource "reseller_addon" "all" {
  for_each = local.addons
  code     = each.key
  name     = each.value.name
  currency = each.value.currency
  active   = each.value.active
}
import {
  for_each = local.assigned
  to       = reseller_assignment.all[each.key]
  id       = each.value.id
}
resource "reseller_assignment" "all" {
  for_each         = local.assigned
  private_label_id = each.value.id
  package_id       = each.value.assignment.package_id
  addons           = length(each.value.assignment.addons) == 0 ? null : [for a in each.value.assignment.addons : { addon_id = a.addon_id, quantity = a.quantity }]
}
import {
  for_each = local.people
  to       = reseller_member.all[each.key]
  id       = "${each.value.label}/${each.value.id}"
}
resource "reseller_member" "all" {
  for_each         = local.people
  private_label_id = each.value.label
  email            = each.value.email
  first_name       = each.value.first_name
  last_name        = each.value.last_name
}
resource "reseller_branding" "all" {
  for_each      = data.reseller_private_label.one
  domain        = each.key
  color_primary = "#0a4"
}
`

// measureEstate: importing all that a reseller has, and the plan after it.
func measureEstate(ctx context.Context, b *bed, t *table, o options) error {
	n := min(100, o.labels)
	s, err := newService(simulator.Options{Fast: true}, n)
	if err != nil {
		return err
	}
	defer s.close()
	withAddons, people := 0, 0
	for _, l := range s.sim.Labels() {
		people += l.Members
		if len(l.Addons) > 0 {
			withAddons++
		}
	}
	f := b.folder("estate", s.env(filepath.Join(b.dir, "cache", "estate"))...)
	if err := f.write("main.tf", estate+adopted); err != nil {
		return err
	}
	if err := f.settle(ctx); err != nil {
		return err
	}
	s.sim.ResetJournal()
	if _, err := f.emptyPlan(ctx); err != nil {
		return err
	}
	routes, total, refused := s.calls()
	// The data sources that name what was imported read a detail of each label.
	budget := 1 + n + n + 2
	t.head(fmt.Sprintf("A plan without changes over %d labels, their packages (%d with add-ons), %d members and brandings, all found by data sources", n, withAddons, people), "calls", "which", "429s", "budget")
	t.row(fmt.Sprint(total), words(routes), fmt.Sprint(refused), t.kept(fmt.Sprintf("1 list, 1 detail and 1 members list a label, 1 search each: %d", budget), total <= budget && refused == 0))
	return nil
}

const megabyte = 1 << 20

// measureUploads: two logos of 1 MB for each of 50 labels, in one apply.
func measureUploads(ctx context.Context, b *bed, t *table, _ options) error {
	const n = 50
	s, err := newService(simulator.Options{Fast: true}, n)
	if err != nil {
		return err
	}
	defer s.close()
	t.head(fmt.Sprintf("Branding %d labels in one apply", n), "", "calls", "sent", "wall", "peak memory of the provider")
	for name, logos := range map[string]bool{"colours alone": false, "colours and two logos of 1 MB each": true} {
		f := b.folder("uploads-"+strings.ReplaceAll(name, " ", "-"), s.env(filepath.Join(b.dir, "cache", "uploads"))...)
		if err := f.write("main.tf", brandings(s.sim.Labels(), logos)); err != nil {
			return err
		}
		for i := range 2 * n {
			if err := os.WriteFile(filepath.Join(f.dir, fmt.Sprintf("logo-%d.png", i)), logoOf(i, megabyte), 0o600); err != nil {
				return err
			}
		}
		if _, err := f.run(ctx, "init", "-no-color", "-input=false"); err != nil {
			return err
		}
		s.sim.ResetJournal()
		u, err := f.run(ctx, "apply", "-no-color", "-input=false", "-auto-approve")
		if err != nil {
			return err
		}
		_, total, _ := s.calls()
		sent := "–"
		if logos {
			sent = megabytes(2 * n * megabyte)
		}
		t.row(name, fmt.Sprint(total), sent, seconds(u.wall), megabytes(u.peak))
	}
	return nil
}

func brandings(labels []simulator.LabelView, logos bool) string {
	var text strings.Builder
	text.WriteString("terraform {\n  required_providers {\n    reseller = { source = \"privatelabels/reseller\" }\n  }\n}\n")
	for i, l := range labels {
		fmt.Fprintf(&text, "resource \"reseller_branding\" \"b%d\" {\n  domain = %q\n  color_primary = \"#0a4\"\n", i, l.Host)
		if logos {
			fmt.Fprintf(&text, "  logo_path = \"logo-%d.png\"\n  banner_logo_path = \"logo-%d.png\"\n", 2*i, 2*i+1)
		}
		text.WriteString("}\n")
	}
	return text.String()
}

// logoOf is a small PNG with a private chunk that makes it so many bytes long.
func logoOf(seed, size int) []byte {
	var buf bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 16, 16))
	img.Pix[0] = uint8(seed)
	_ = png.Encode(&buf, img) // into memory: it cannot fail
	const end, frame = 12, 12 // of a chunk: length, type and checksum
	plain := buf.Bytes()
	chunk := append([]byte("paDd"), make([]byte, size-len(plain)-frame)...)
	out := append([]byte{}, plain[:len(plain)-end]...)
	out = binary.BigEndian.AppendUint32(out, uint32(len(chunk)-4))
	out = append(out, chunk...)
	out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
	return append(out, plain[len(plain)-end:]...)
}
