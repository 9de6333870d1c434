package app

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
)

// parsePrivateKey reads an App's RSA key in the forms in which it reaches an environment:
// PKCS#1 or PKCS#8, as PEM, as PEM with literal \n, or as the base64 of either PEM or DER.
// It returns the key as PKCS#1 PEM, which is what GitHub hands out and every client reads.
// Errors never quote the input.
func parsePrivateKey(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	text = strings.Trim(text, `"'`)
	text = strings.ReplaceAll(text, `\r`, "")
	text = strings.ReplaceAll(text, `\n`, "\n")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	der := []byte(nil)
	if block, _ := pem.Decode([]byte(text)); block != nil {
		der = block.Bytes
	} else if decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(stripArmour(text)), "")); err == nil {
		der = decoded
		if block, _ := pem.Decode(decoded); block != nil {
			der = block.Bytes
		}
	}
	if der == nil {
		return nil, errors.New("it is neither PEM nor base64")
	}
	key, err := parseDER(der)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), nil
}

func parseDER(der []byte) (*rsa.PrivateKey, error) {
	if key, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, errors.New("it holds no PKCS#1 or PKCS#8 private key")
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("it is not an RSA key, which GitHub Apps use")
	}
	return key, nil
}

// stripArmour drops PEM's first and last line where a platform put the whole key on one line.
func stripArmour(text string) string {
	for _, kind := range []string{"RSA PRIVATE KEY", "PRIVATE KEY"} {
		text = strings.ReplaceAll(text, "-----BEGIN "+kind+"-----", "")
		text = strings.ReplaceAll(text, "-----END "+kind+"-----", "")
	}
	return text
}
