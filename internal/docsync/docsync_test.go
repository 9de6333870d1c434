package docsync

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const block = "## Known pitfalls\n\n- One. (PR #1, 2026-11-02, changes-requested)\n"

func TestReplace(t *testing.T) {
	t.Parallel()
	pair := Begin + "\n" + End + "\n"
	for name, c := range map[string]struct{ document, block, want string }{
		"empty between the markers":  {"# A\n\n" + pair + "\nB\n", "one\n", "# A\n\n" + Begin + "\none\n" + End + "\n\nB\n"},
		"an older copy":              {Begin + "\nold\n\nolder\n" + End + "\n", "one\n", Begin + "\none\n" + End + "\n"},
		"nothing to show":            {Begin + "\nold\n" + End + "\n", "", pair},
		"Windows line ends":          {"A\r\n" + Begin + "\r\nold\r\n" + End + "\r\nB\r\n", "one\n\ntwo\n", "A\r\n" + Begin + "\r\none\r\n\r\ntwo\r\n" + End + "\r\nB\r\n"},
		"mixed line ends outside":    {"A\r\nB\n" + Begin + "\n" + End + "\r\nC\rD", "one\n", "A\r\nB\n" + Begin + "\none\n" + End + "\r\nC\rD"},
		"no newline at the end":      {"A\n" + Begin + "\n" + End, "one\n", "A\n" + Begin + "\none\n" + End},
		"a byte order mark":          {"\ufeff" + pair, "one\n", "\ufeff" + Begin + "\none\n" + End + "\n"},
		"indented markers":           {"- item\n\n  " + Begin + " \n  " + End + "\n", "one\n", "- item\n\n  " + Begin + " \none\n  " + End + "\n"},
		"a line that speaks of them": {"Put `" + Begin + "` here.\n" + pair, "one\n", "Put `" + Begin + "` here.\n" + Begin + "\none\n" + End + "\n"},
		"bytes that are no text":     {"\xff\xfe\x00\n" + pair + "\xc3", "one\n", "\xff\xfe\x00\n" + Begin + "\none\n" + End + "\n\xc3"},
		"front matter":               {"---\nglobs: ['*.go']\n---\n" + pair, "one\n", "---\nglobs: ['*.go']\n---\n" + Begin + "\none\n" + End + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Replace([]byte(c.document), c.block)
			if err != nil || string(got) != c.want {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
}

func TestReplaceNeverGuesses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, want string }{
		"no end":          {"A\n" + Begin + "\nold\n", "line 3: the block that began in line 2 does not end"},
		"no beginning":    {"A\n" + End + "\n", "line 2: a block ends that has not begun"},
		"the other way":   {End + "\n" + Begin + "\n", "line 1: a block ends that has not begun"},
		"nested":          {Begin + "\n" + Begin + "\n" + End + "\n" + End + "\n", "line 2: a block begins inside the one that began in line 1"},
		"twice":           {strings.Repeat(Begin+"\n"+End+"\n", 2), "line 3: a second block begins; the first is in line 1: keep one"},
		"an end too many": {Begin + "\n" + End + "\n" + End + "\n", "line 3: a block ends that has not begun"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Replace([]byte(c.document), block)
			if !errors.As(err, new(*MarkerError)) || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if _, err := Replace([]byte("# Mine\n"), block); !errors.Is(err, ErrNoMarkers) {
		t.Errorf("without markers: %v", err)
	}
	// A lesson must not be able to open or close the block that shows it.
	if _, err := Replace([]byte(Begin+"\n"+End+"\n"), "- One.\n  "+End+"\n"); err == nil {
		t.Error("a lesson has ended the block")
	}
}

func TestRendererShowsTheWindow(t *testing.T) {
	t.Parallel()
	lessons := "- Old lesson of the file here. (PR #1, 2026-11-01, changes-requested)\n" +
		"- New lesson of the file here. (PR #2, 2026-11-02, changes-requested)\n" +
		"- Gone lesson of the file here. (PR #3, 2026-11-03, changes-requested; stale 2026-11-04)\n"
	got, err := Renderer(1)([]byte(lessons), []byte(Begin+"\n"+End+"\n"))
	if err != nil || !strings.Contains(string(got), "- New lesson") || strings.Contains(string(got), "Old") || strings.Contains(string(got), "Gone") {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, want string }{
		"a new file":            {"", Begin + "\n" + End + "\n"},
		"a file":                {"# A\n", "# A\n\n" + Begin + "\n" + End + "\n"},
		"no newline at the end": {"# A", "# A\n\n" + Begin + "\n" + End + "\n"},
		"Windows line ends":     {"# A\r\nB", "# A\r\nB\r\n\r\n" + Begin + "\r\n" + End + "\r\n"},
		"has them":              {Begin + "\nx\n" + End, Begin + "\nx\n" + End},
		"has half of them":      {"A\n" + End, "A\n" + End},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, err := Add([]byte(c.document)); err != nil || string(got) != c.want {
				t.Errorf("got %q, %v\nwant %q", got, err, c.want)
			}
		})
	}
	if _, err := Add([]byte("\xff\xfeA\x00")); err == nil {
		t.Error("UTF-16 was taken for UTF-8")
	}
}

// Outside the markers nothing changes, whatever the bytes are; doing it again changes nothing.
func TestReplaceKeepsWhatIsOutside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{"a", " ", "\n", "\r\n", "\r", "\ufeff", "é", "\xff", "\x00", "# x", "```\n", Begin, "---\n"}), 0, 12)
		join := func(name string) string { return strings.Join(text.Draw(t, name), "") }
		before, old, after := join("before"), join("old"), join("after")
		eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")
		head, tail := before+eol+Begin+eol, End+eol+after
		document := []byte(head + old + eol + tail)
		if markers, _ := find(document); len(markers) != 2 {
			t.Skip("the text around holds markers too")
		}
		show := join("block")
		once, err := Replace(document, show)
		if err != nil {
			if markers, _ := find([]byte(show)); len(markers) == 0 {
				t.Fatal(err)
			}
			return
		}
		if !bytes.HasPrefix(once, []byte(head)) || !bytes.HasSuffix(once, []byte(tail)) {
			t.Fatalf("outside the markers of %q: %q", document, once)
		}
		twice, err := Replace(once, show)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("again: %q, %v\nonce: %q", twice, err, once)
		}
	})
}

func FuzzReplace(f *testing.F) {
	f.Add([]byte("A\n"+Begin+"\n"+End+"\n"), block)
	f.Fuzz(func(t *testing.T, document []byte, block string) {
		once, err := Replace(document, block)
		if err != nil {
			return
		}
		if twice, err := Replace(once, block); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("again: %q, %v\nonce: %q", twice, err, once)
		}
	})
}
