package web

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// session is what is remembered of a person who signed in.
type session struct {
	Login string `json:"login"`
	ID    int64  `json:"id"`
	Token string `json:"token"` // the person's, of GitHub
}

// sessionAge bounds a session; GitHub's tokens of people are good for as long.
const sessionAge = 8 * time.Hour

// cookie returns a cookie of the door. One that is sent over HTTPS cannot be set by a neighbouring
// host (__Host-). Lax, not Strict: people come by links.
func (d *desk) cookie(r *http.Request, name, value string, age time.Duration) *http.Cookie {
	c := &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, MaxAge: int(age.Seconds())}
	if isHTTPS(d.base(r)) {
		c.Name, c.Secure = "__Host-"+name, true
	}
	return c
}

const sessionCookie = "session"

// session returns the session that a request belongs to, with the key that it is kept under.
func (d *desk) session(r *http.Request) (s session, key string, ok bool, err error) {
	given, err := r.Cookie(d.cookie(r, sessionCookie, "", 0).Name)
	if err != nil {
		return session{}, "", false, nil
	}
	key = keyOf(given.Value)
	sealed, ok, err := d.Sessions.Get(r.Context(), key)
	if err != nil || !ok {
		return session{}, "", false, err
	}
	// What another secret sealed is of before a rotation: sign in again.
	content, err := d.vault.open(sealed)
	if err != nil || json.Unmarshal(content, &s) != nil {
		return session{}, "", false, nil
	}
	return s, key, true, nil
}

// keep begins a session, under a name of its own: one that was known before means nothing.
func (d *desk) keep(w http.ResponseWriter, r *http.Request, s session, age time.Duration) error {
	content, err := json.Marshal(s)
	if err != nil {
		return err
	}
	name := rand.Text()
	if err := d.Sessions.Put(r.Context(), keyOf(name), d.vault.seal(content), d.Now().Add(age)); err != nil {
		return err
	}
	http.SetCookie(w, d.cookie(r, sessionCookie, name, age))
	return nil
}

// signOut ends the session.
func (d *desk) signOut(w http.ResponseWriter, r *http.Request) {
	if _, key, ok, _ := d.session(r); ok {
		d.seen.Remove(key)
		if err := d.Sessions.Delete(r.Context(), key); err != nil {
			d.Log.Error().Err(err).Msg("sign out")
		}
	}
	http.SetCookie(w, d.cookie(r, sessionCookie, "", -time.Second))
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// keyOf is what a cookie's session is kept under: who reads the database cannot become anybody.
func keyOf(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:])
}

// vault encrypts sessions, which hold people's tokens, with a key that is not in the database.
type vault struct{ cipher.AEAD }

func newVault(secret string) vault {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "agent-lessons sessions", 32)
	if err != nil {
		panic(err) // 32 bytes are never too many
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // 32 bytes are a key
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES is what it is for
	}
	return vault{gcm}
}

func (v vault) seal(content []byte) []byte { return v.Seal(nil, nil, content, nil) }

func (v vault) open(sealed []byte) ([]byte, error) {
	if len(sealed) < v.Overhead() {
		return nil, errors.New("too short")
	}
	return v.Open(nil, nil, sealed, nil)
}
