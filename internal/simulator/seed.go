package simulator

import (
	"fmt"
	"image"
	"image/color"
	"time"
)

// What a seeded reseller has in addition to its private labels.
const (
	seededPackages = 12
	seededAddons   = 8
	seededMembers  = 3 // of a private label, including its owner
)

// seededColors are the primary and accent colors of private labels, in rotation.
var seededColors = [][2]string{
	{"#0b6e4f", "#f2c14e"},
	{"#3d348b", "#f7b801"},
	{"#b3001b", "#ffe3e0"},
	{"#005f99", "#9bd3f5"},
	{"#ffd166", "#073b4c"},
	{"#5f0f40", "#fb8b24"},
	{"#1d3557", "#a8dadc"},
	{"#2f3e46", "#cad2c5"},
	{"#d1495b", "#edae49"},
	{"#00798c", "#e9f5db"},
	{"#e4c1f9", "#22223b"},
}

// Seed adds n private labels as an agency would have them: live, verified, created over the last months, most of them
// with a package, some with add-ons and a logo, with three members each. No email is sent, and no call is in the
// journal; SeedHistory adds both. Host names continue where an earlier seed ended.
func (s *Simulator) Seed(n int) error {
	if n < 0 {
		return fmt.Errorf("cannot seed %d private labels", n)
	}
	return s.change(func(d *data) error {
		r := d.Resellers[0]
		now := s.clock.Now()
		if n > 0 {
			seedCatalog(d, r, now)
		}
		added := 0
		for i := 1; added < n; i++ {
			if d.hostTaken(seededHost(i)) {
				continue
			}
			l := seedLabel(d, r, i, now.AddDate(0, 0, -(i%300)-1))
			d.add(l)
			added++
			// An agency's allowance is larger than its usage.
			r.Allowance = r.Allowance.plus(r.counted(l, l.Assignment, periodOf(now)), 1)
		}
		return nil
	})
}

func seedCatalog(d *data, r *reseller, now time.Time) {
	for i := len(r.Packages) + 1; i <= seededPackages; i++ {
		scale := float64(i)
		r.Packages = append(r.Packages, &item{
			ID: d.newID("package"), Code: fmt.Sprintf("PLAN-%02d", i), Name: fmt.Sprintf("Plan %d", i), Currency: "EUR", Active: i != seededPackages,
			Included:  quantities{Documents: 10 * scale, Seats: 2 * scale, Templates: scale, Notarizations: scale},
			CreatedAt: millis(now.AddDate(-1, 0, 0)),
		})
	}
	for i := len(r.Addons) + 1; i <= seededAddons; i++ {
		r.Addons = append(r.Addons, &item{
			ID: d.newID("addon"), Code: fmt.Sprintf("EXTRA-%02d", i), Name: fmt.Sprintf("Extra %d", i), Currency: "EUR", Active: true,
			Included:  quantities{Seats: float64(i)},
			CreatedAt: millis(now.AddDate(-1, 0, 0)),
		})
	}
}

func seededClient(i int) string {
	return fmt.Sprintf("client-%04d.example", i)
}

func seededHost(i int) string {
	return "sign." + seededClient(i)
}

func seedLabel(d *data, r *reseller, i int, createdAt time.Time) *label {
	client := seededClient(i)
	colors := seededColors[i%len(seededColors)]
	l := &label{
		ID: d.newID("label"), ResellerID: r.ID, Host: seededHost(i), AppName: fmt.Sprintf("Client %d", i), CreatedAt: millis(createdAt),
		Colors: map[string]string{"colorPrimary": colors[0], "colorAccent": colors[1]},
		Domain: domainState{Attached: true, DNSCorrect: true, Verified: true, LookedAt: millis(createdAt)},
	}
	for m := range seededMembers {
		role := roleMember
		if m == 0 {
			role = roleOwner
		}
		l.Members = append(l.Members, &member{
			ID: d.newID("user"), Email: fmt.Sprintf("person-%d@%s", m+1, client), FirstName: fmt.Sprintf("Person %d", m+1), LastName: fmt.Sprintf("of Client %d", i),
			Status: memberActive, Role: role, CreatedAt: millis(createdAt),
		})
	}
	if i%5 == 0 { // a former member
		l.Former = []*member{{
			ID: d.newID("user"), Email: "person-0@" + client, FirstName: "Person 0", LastName: fmt.Sprintf("of Client %d", i),
			Status: memberActive, Role: roleMember, CreatedAt: millis(createdAt),
		}}
	}
	if i%4 == 0 {
		l.Logo = seededLogo(colors[1])
	}
	l.Templates = []*template{{ID: d.newID("template"), Title: "Terms", Slug: "terms", CreatedAt: millis(createdAt)}}
	if i%7 != 0 {
		l.Assignment = &assignment{ID: d.newID("assignment"), PackageID: r.Packages[i%seededPackages].ID, AssignedAt: millis(createdAt)}
	}
	if l.Assignment != nil && i%3 == 0 {
		addon := r.Addons[i%seededAddons]
		l.Assignment.Addons = []*attached{{ID: d.newID("attached"), AddonID: addon.ID, Quantity: float64(1 + i%4)}}
	}
	return l
}

// seededLogo is a disc in a color, with the maximum height of a logo.
func seededLogo(hex string) *logo {
	const size = 90
	img := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{color.Transparent, rgbOf(hex)})
	for i := range img.Pix {
		x := 2*(i%size) + 1 - size
		y := 2*(i/size) + 1 - size
		if x*x+y*y <= size*size {
			img.Pix[i] = 1
		}
	}
	content := encodePNG(img)
	return &logo{PNG: content, SHA256: digest(content)}
}
