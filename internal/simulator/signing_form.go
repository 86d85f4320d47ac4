package simulator

import "bytes"

// signingForm is a request of texts and files: multipart, whose content type §4.1 does not show.
type signingForm struct {
	fields formFields
	files  []signingFile
}

type signingFile struct {
	field string
	data  []byte
}

// file of a field; nil for none.
func (f *signingForm) file(field string) *signingFile {
	for i := range f.files {
		if f.files[i].field == field {
			return &f.files[i]
		}
	}
	return nil
}

// signingForm reads a form. An empty body is an empty form.
func (r *request) signingForm() (*signingForm, *apiError) {
	form := &signingForm{fields: formFields{text: map[string]string{}}}
	if len(bytes.TrimSpace(r.body)) == 0 {
		return form, nil
	}
	if _, isForm := r.boundary(); !isForm {
		return nil, invalidData("The body must be sent as multipart/form-data.")
	}
	return form, form.takeForm(r.parts())
}

// takeForm reads a complete form.
func (f *signingForm) takeForm(parts []formPart, whole bool) *apiError {
	if !whole {
		return invalidData("The form cannot be read or is incomplete.")
	}
	for _, part := range parts {
		if _, twice := f.fields.text[part.name]; part.name == "" || twice {
			return invalidData("A field has no name or is sent twice.")
		}
		if part.isFile {
			f.files = append(f.files, signingFile{part.name, part.content})
			continue
		}
		f.fields.text[part.name] = string(part.content)
	}
	return nil
}
