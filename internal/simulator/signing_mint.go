package simulator

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of §8.
const (
	maxUnitName  = 8
	maxAssetName = 32
	maxMintFiles = 2
)

// firstAsset is the ID of the first asset; the next ones count up.
const firstAsset = 1_000_001

// ipfsGateway serves what is stored on IPFS.
const ipfsGateway = "https://ipfs." + serviceDomain + "/ipfs/"

var nftStandards = []string{"ARC3", "ARC69"}

// mintMetadata is the nftMetadata of §4.6.
type mintMetadata struct {
	Decimals          int            `json:"decimals"`
	DocumentURL       string         `json:"document_url"`
	DocumentIntegrity string         `json:"document_integrity"`
	DocumentMimetype  string         `json:"document_mimetype"`
	Name              string         `json:"name"`
	UnitName          string         `json:"unitName"`
	Properties        mintProperties `json:"properties"`
}

type mintProperties struct {
	Creator        *string `json:"creator"`
	CreatorEmail   *string `json:"creator_email"`
	CreationDate   *string `json:"creation_date"`
	Description    *string `json:"description"`
	DocumentWords  int64   `json:"document_words"`
	DocumentPages  int64   `json:"document_pages"`
	DocumentLocale string  `json:"document_locale"`
	PreviewURL     string  `json:"preview_url"`
	ImageMimetype  string  `json:"image_mimetype"`
}

// mintDocument implements §4.6. Minted documents are permanent.
func (s *Simulator) mintDocument(r *request) (any, *apiError) {
	if rejection := s.mayWrite(); rejection != nil {
		return nil, rejection
	}
	form, rejection := r.signingForm()
	if rejection != nil {
		return nil, rejection
	}
	minted, rejection := readMint(form)
	if rejection != nil {
		return nil, rejection
	}
	s.mint(minted, r)
	return s.mintAnswer(minted), nil
}

func readMint(form *signingForm) (*mintedDoc, *apiError) {
	pdf := form.file("file")
	image := form.file("image")
	switch {
	case len(form.files) > maxMintFiles:
		return nil, errFileCount
	case pdf == nil:
		return nil, errNoFile
	case !isPDF(pdf.data), image != nil && imageType(image.data) == "":
		return nil, errFileType
	case image == nil && len(form.files) > 1:
		return nil, invalidData("The second file must be the image, in the field image.")
	}
	fields := &form.fields
	out := &mintedDoc{Standard: fields.needed("nftStandard"), PDF: mintedFileOf(pdf)}
	stored := fields.flag("storeOnIPFS", true)
	if image != nil {
		file := mintedFileOf(image)
		out.Image = &file
		out.Metadata.Properties.ImageMimetype = imageType(image.data)
	}
	readMetadata(fields, &out.Metadata)
	if stored {
		out.store()
	}
	return out, cmp.Or(fields.done(), out.check())
}

func mintedFileOf(f *signingFile) mintedFile {
	return mintedFile{SHA256: digest(f.data), Size: len(f.data)}
}

func readMetadata(fields *formFields, m *mintMetadata) {
	m.UnitName = fields.needed("unitName")
	m.Name = fields.needed("assetName")
	m.DocumentMimetype = "application/pdf"
	p := &m.Properties
	p.Description = fields.nullable("description")
	p.Creator = fields.nullable("creator")
	p.CreatorEmail = fields.nullable("creatorEmail")
	p.CreationDate = fields.nullable("creationDate")
	if pages := fields.count("pages"); pages != nil {
		p.DocumentPages = *pages
	}
	if words := fields.count("wordCount"); words != nil {
		p.DocumentWords = *words
	}
	if language := fields.nullable("language"); language != nil {
		p.DocumentLocale = *language
	}
}

func (m *mintedDoc) check() *apiError {
	creator := m.Metadata.Properties.CreatorEmail
	switch {
	case !slices.Contains(nftStandards, m.Standard):
		return invalidData("nftStandard must be " + strings.Join(nftStandards, " or ") + ".")
	case utf8.RuneCountInString(m.Metadata.UnitName) > maxUnitName:
		return invalidData("unitName must have at most 8 characters.")
	case utf8.RuneCountInString(m.Metadata.Name) > maxAssetName:
		return invalidData("assetName must have at most 32 characters.")
	case creator != nil && !validEmail(*creator):
		return invalidData("creatorEmail is not a plain email address.")
	default:
		return nil
	}
}

// store sets the URLs of the files on IPFS.
func (m *mintedDoc) store() {
	cid := cidOf(m.PDF.SHA256)
	m.PDF.URL = ipfsGateway + cid
	m.Metadata.DocumentURL = "ipfs://" + cid
	if m.Image != nil {
		cid = cidOf(m.Image.SHA256)
		m.Image.URL = ipfsGateway + cid
		m.Metadata.Properties.PreviewURL = "ipfs://" + cid
	}
}

var lowerBase32 = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// cidOf returns the content ID of a sha256 digest in hex: version 1, raw.
func cidOf(hexDigest string) string {
	return "b" + lowerBase32.EncodeToString(append([]byte{0x01, 0x55, 0x12, sha256.Size}, fromHex(hexDigest)...))
}

func fromHex(text string) []byte {
	raw, _ := hex.DecodeString(text) // the digest is valid hex
	return raw
}

func (s *Simulator) mint(m *mintedDoc, r *request) {
	d := s.store.data
	m.Metadata.DocumentIntegrity = "sha256-" + base64.StdEncoding.EncodeToString(fromHex(m.PDF.SHA256))
	m.AssetID = firstAsset + int64(len(d.Signing.Minted))
	transaction := d.derived("transaction", strconv.FormatInt(m.AssetID, 10))
	m.TransactionID = base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(fromHex(transaction))
	m.CreatedAt = millis(r.now)
	d.Signing.Minted = append(d.Signing.Minted, m)
	s.book(Entry{Kind: EntryDocumentMinted, Subject: m.Metadata.Name}, r.now)
}

func (s *Simulator) mintAnswer(m *mintedDoc) map[string]any {
	out := map[string]any{"assetId": m.AssetID, "transactionId": m.TransactionID}
	if s.forms.isForm("arc69", "short") && m.Standard == "ARC69" {
		return out
	}
	out["pdfIpfsUrl"] = m.PDF.URL
	out["imageIpfsUrl"] = ""
	out["nftMetadata"] = m.Metadata
	if m.Image != nil {
		out["imageIpfsUrl"] = m.Image.URL
	}
	return out
}

// imageType returns the type of a PNG or JPEG by its first bytes; empty for others.
func imageType(content []byte) string {
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	default:
		return ""
	}
}
