package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator"
)

// client is a client of the reseller, with the colors of its portal.
type client struct {
	host, name          string
	primary, accent     string
	appBar, footer      string // empty for the default
	emblem              emblem
	pack                string
	seats               float64 // of the add-on
	first, last, second string
}

var clients = []client{
	{"sign.harbour.example", "Harbour Legal", "#0b3c5d", "#d9b310", "#ffffff", "#0b3c5d", wave, "GOLD", 10, "Ines", "Marlow", "Theo Brandt"},
	{"esign.fernwood.example", "Fernwood Homes", "#1f6b3a", "#e8f3d6", "", "#e8f3d6", leaf, "SILVER", 0, "Ruth", "Okafor", "Jan Visser"},
	{"sign.kestrel.example", "Kestrel Air", "#b3261e", "#1c1b1f", "#1c1b1f", "#1c1b1f", wing, "GOLD", 25, "Sam", "Adeyemi", "Lea Fontaine"},
	{"sign.lumen.example", "Lumen Clinics", "#f6c445", "#3a2e00", "", "", sun, "SILVER", 5, "Mira", "Sato", "Paul Weiss"},
	{"contracts.orchid.example", "Orchid Studio", "#7b2d8b", "#fbe4ff", "#fbe4ff", "#7b2d8b", petals, "", 0, "Zoe", "Lindqvist", ""},
	{"sign.basalt.example", "Basalt Works", "#37474f", "#ff7043", "", "#263238", columns, "BRONZE", 0, "Igor", "Novak", "Amal Haddad"},
	{"sign.tidepool.example", "Tidepool Bank", "#00838f", "#b2ebf2", "#e0f7fa", "#00838f", rings, "GOLD", 15, "Nora", "Quinn", "Ben Osei"},
	{"papers.saffron.example", "Saffron Foods", "#d84315", "#ffe0b2", "#fff3e0", "#ffe0b2", bowl, "BRONZE", 0, "Asha", "Rao", "Luis Prieto"},
}

// caller calls the simulator in process with an access token.
type caller struct {
	sim    *simulator.Simulator
	client *http.Client
	token  string
}

// fill creates the private labels by the API calls that an apply makes.
func fill(ctx context.Context, sim *simulator.Simulator) error {
	c := &caller{sim: sim, client: &http.Client{Transport: sim.Transport()}}
	got, err := c.post(ctx, "/api/v1/auth/token", map[string]any{"grant_type": "client_credentials", "api_key": sim.APIKey()})
	if err != nil {
		return err
	}
	c.token, _ = got["access_token"].(string)
	ids := map[string]string{}
	for code, scale := range map[string]float64{"GOLD": 50, "SILVER": 20, "BRONZE": 5} {
		included := map[string]float64{"documents": 20 * scale, "seats": scale, "templates": scale, "notarizations": scale}
		if ids[code], err = sim.AddPackage(code, included, true); err != nil {
			return err
		}
	}
	if ids["SEATS"], err = sim.AddAddon("SEATS", map[string]float64{"seats": 1}, true); err != nil {
		return err
	}
	if err := sim.SetAllowance(map[string]float64{"documents": 6000, "seats": 300, "templates": 500, "notarizations": 240}); err != nil {
		return err
	}
	for i := range clients {
		sim.Clock().Advance(4 * time.Minute)
		if err := c.build(ctx, &clients[i], ids); err != nil {
			return fmt.Errorf("%s: %w", clients[i].host, err)
		}
	}
	// The last two clients have not created their DNS records yet.
	return nil
}

func (c *caller) build(ctx context.Context, portal *client, ids map[string]string) error {
	provisioned, err := c.post(ctx, c.labels(""), map[string]any{
		"owner":  map[string]any{"email": mail(portal.first, portal.host), "firstName": portal.first, "lastName": portal.last},
		"config": map[string]any{"domain": portal.host, "appName": portal.name},
	})
	if err != nil {
		return err
	}
	data, _ := provisioned["data"].(map[string]any)
	id, _ := data["tenantId"].(string)
	if err := c.dress(ctx, portal); err != nil {
		return err
	}
	if portal.second != "" {
		var first, last string
		_, _ = fmt.Sscan(portal.second, &first, &last)
		if _, err := c.post(ctx, c.labels("/"+id+"/users"), map[string]any{"email": mail(first, portal.host), "firstName": first, "lastName": last}); err != nil {
			return err
		}
	}
	if portal.pack == "" {
		_, err := c.post(ctx, c.labels("/"+id+"/suspend"), map[string]any{"reason": "contract ended"})
		return err
	}
	addons := map[string]float64{}
	if portal.seats > 0 {
		addons[ids["SEATS"]] = portal.seats
	}
	return c.sim.AssignInConsole(portal.host, ids[portal.pack], addons)
}

// dress sends colors and a logo.
func (c *caller) dress(ctx context.Context, portal *client) error {
	colors := map[string]any{"domain": portal.host, "colorPrimary": portal.primary, "colorAccent": portal.accent}
	for field, color := range map[string]string{"colorAppBarBackground": portal.appBar, "colorFooterBackground": portal.footer} {
		if color != "" {
			colors[field] = color
		}
	}
	if _, err := c.post(ctx, "/console/tenant/update-colors", colors); err != nil {
		return err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	data, err := json.Marshal(map[string]string{"domain": portal.host})
	if err != nil {
		return err
	}
	if err := form.WriteField("data", string(data)); err != nil {
		return err
	}
	file, err := form.CreateFormFile("logo", "logo.png")
	if err != nil {
		return err
	}
	logo, err := portal.logo()
	if err != nil {
		return err
	}
	if _, err := file.Write(logo); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	_, err = c.request(ctx, simulator.UploadURL+"/console/tenant/upload-logos", form.FormDataContentType(), &body)
	return err
}

func (c *caller) labels(path string) string {
	return "/console/" + c.sim.Slug() + "/reseller/private-labels" + path
}

func (c *caller) post(ctx context.Context, path string, body map[string]any) (map[string]any, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return c.request(ctx, simulator.BaseURL+path, "application/json", bytes.NewReader(raw))
}

// request makes an API call, a second after the previous one.
func (c *caller) request(ctx context.Context, url, contentType string, body io.Reader) (map[string]any, error) {
	c.sim.Clock().Advance(time.Second)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	res, err := c.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var out map[string]any
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return nil, fmt.Errorf("%s responds with %d and no JSON: %w", url, res.StatusCode, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s responds with %d %v", url, res.StatusCode, out["error"])
	}
	return out, nil
}
