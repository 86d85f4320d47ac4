package transport

import (
	markup "html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unescape decodes one escape at the beginning of text; size is 0 if there is none.
func unescape(text string) (meaning string, size int) {
	switch text[0] {
	case '%':
		return hexEscape(text, 1, 2)
	case '\\':
		return backslash(text)
	case '&':
		return entity(text)
	}
	if r, n := utf8.DecodeRuneInString(text); r == 0 || n > 1 && unicode.Is(unicode.Cf, r) {
		return "", n
	}
	return "", 0
}

func backslash(text string) (meaning string, size int) {
	if len(text) < 2 {
		return "", 0
	}
	switch text[1] {
	case 'x':
		return hexEscape(text, 2, 2)
	case 'u':
		return runeEscape(text, 2, 4)
	case 'U':
		return runeEscape(text, 2, 8)
	case '"', '\\', '/', '\'':
		return text[1:2], 2
	default:
		return "", 0
	}
}

func hexEscape(text string, from, digits int) (meaning string, size int) {
	code, ok := hexAt(text, from, digits)
	if !ok {
		return "", 0
	}
	return string([]byte{byte(code & 0xff)}), from + digits
}

func runeEscape(text string, from, digits int) (meaning string, size int) {
	code, ok := hexAt(text, from, digits)
	if !ok {
		return "", 0
	}
	return string(code), from + digits
}

func hexAt(text string, from, digits int) (code rune, ok bool) {
	if len(text) < from+digits {
		return 0, false
	}
	n, err := strconv.ParseInt(text[from:from+digits], 16, 32)
	return rune(n), err == nil
}

// entity decodes an HTML entity, such as &amp; and &#x41;.
func entity(text string) (meaning string, size int) {
	const longest = len("&#x0010FFFF;")
	end := strings.IndexByte(text[:min(len(text), longest)], ';')
	if end < 0 {
		return "", 0
	}
	meaning = markup.UnescapeString(text[:end+1])
	if meaning == text[:end+1] {
		return "", 0
	}
	return meaning, end + 1
}
