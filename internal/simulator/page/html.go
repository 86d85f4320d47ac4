package page

import (
	"fmt"
	"html"
	"strings"
)

// HTML is markup. Text and the elements make it, so that every text is escaped.
type HTML string

// Attributes of an element; a list is their sum.
type Attributes string

// Text escapes a text.
func Text(text string) HTML {
	return HTML(html.EscapeString(text))
}

// Textf escapes a formatted text.
func Textf(format string, values ...any) HTML {
	return Text(fmt.Sprintf(format, values...))
}

// Attribute escapes a value.
func Attribute(name, value string) Attributes {
	return Attributes(strings.Join([]string{" ", name, `="`, html.EscapeString(value), `"`}, ""))
}

// Class is a class of the style sheet; "" for none.
func Class(name string) Attributes {
	if name == "" {
		return ""
	}
	return Attribute("class", name)
}

// Void is an element without content.
func Void(tag string, attributes Attributes) HTML {
	return Join("<", HTML(tag), HTML(attributes), ">")
}

// Element is an element with its content.
func Element(tag string, attributes Attributes, content ...HTML) HTML {
	return Join(Void(tag, attributes), Join(content...), "</", HTML(tag), ">")
}

// Join puts markup together.
func Join(parts ...HTML) HTML {
	var out strings.Builder
	for _, part := range parts {
		out.WriteString(string(part))
	}
	return HTML(out.String())
}

// Each is the markup of all rows.
func Each[T any](rows []T, row func(T) HTML) HTML {
	var out []HTML
	for _, r := range rows {
		out = append(out, row(r))
	}
	return Join(out...)
}

// If is the markup if a condition holds.
func If(condition bool, markup HTML) HTML {
	if !condition {
		return ""
	}
	return markup
}
