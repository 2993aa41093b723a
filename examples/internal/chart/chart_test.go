package chart

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// TestSave: each line of each panel can be seen, each panel in its place.
func TestSave(t *testing.T) {
	flat := func(y float64) []Point { return []Point{{0, y}, {10, y}} }
	file := filepath.Join(t.TempDir(), "a.png")
	err := Save(file,
		Panel{Title: "one", LogY: true, Min: 1, Max: 1000, Lines: []Line{{Name: "a", Points: flat(10)}, {Name: "b", Points: flat(100)}}},
		Panel{Title: "two", Lines: []Line{{Name: "nothing"}, {Name: "c", Points: []Point{{0, 1}, {10, 2}}, Steps: true}}},
	)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][2]bool{{true, false}, {true, true}} {
		upper, lower := Seen(t, file, i)
		if upper != want[0] || lower != want[1] {
			t.Errorf("color %d: seen in the upper panel %v, in the lower %v, want %v", i, upper, lower, want)
		}
	}
}

// Seen tells whether a line of color i runs through the upper and the lower half
// of a picture.
func Seen(t *testing.T, file string, i int) (upper, lower bool) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	var n [2]int
	R, G, B, _ := Colors[i].RGBA()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if r, g, bl, _ := img.At(x, y).RGBA(); r == R && g == G && bl == B {
				n[2*(y-b.Min.Y)/b.Dy()]++
			}
		}
	}
	return n[0] > b.Dx()/4, n[1] > b.Dx()/4
}

func TestUnwritable(t *testing.T) {
	if err := Save(filepath.Join(t.TempDir(), "none", "a.png"), Panel{}); err == nil {
		t.Error("a file in a folder that is not there was written")
	}
}
