// Package chart draws the pictures of the example programs, as PNG files.
package chart

import (
	"errors"
	"fmt"
	"image/color"
	"os"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/netsched/netsched/qdisc/netsim"
)

// Colors are those of the lines, in order, told apart by everybody.
var Colors = []color.Color{
	color.RGBA{R: 0xd5, G: 0x5e, A: 0xff},
	color.RGBA{G: 0x72, B: 0xb2, A: 0xff},
	color.RGBA{G: 0x9e, B: 0x73, A: 0xff},
	color.RGBA{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff},
	color.RGBA{R: 0xe6, G: 0x9f, A: 0xff},
	color.RGBA{R: 0x56, G: 0xb4, B: 0xe9, A: 0xff},
	color.RGBA{R: 0x55, G: 0x55, B: 0x55, A: 0xff},
}

// Line is one line of a Panel.
type Line struct {
	Name   string
	Points []Point
	Steps  bool // a value holds until the next
}

// Point is a place in a Panel.
type Point struct{ X, Y float64 }

// Over is the line of a series over time, in seconds, with the value of each
// window that holds one.
func Over(name string, s *netsim.Series, value func(netsim.Window) float64) Line {
	line := Line{Name: name}
	for at, w := range s.All() {
		line.Points = append(line.Points, Point{X: at.Seconds(), Y: value(w)})
	}
	return line
}

// Panel is one picture.
type Panel struct {
	Title, X, Y string
	LogY        bool    // then no value may be 0
	Min, Max    float64 // of the vertical axis; both 0: what the lines take
	Lines       []Line
}

// Save writes the panels to a PNG, one above the other.
func Save(file string, panels ...Panel) error {
	const width, height = 20 * vg.Centimeter, 11 * vg.Centimeter
	canvas := vgimg.New(width, height*vg.Length(len(panels)))
	tiles := draw.Tiles{Rows: len(panels), Cols: 1}
	for i := range panels {
		p, err := panels[i].plot()
		if err != nil {
			return err
		}
		const margin = 3 * vg.Millimeter
		p.Draw(draw.Crop(tiles.At(draw.New(canvas), 0, i), margin, -margin, margin, -margin))
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = vgimg.PngCanvas{Canvas: canvas}.WriteTo(f)
	return errors.Join(err, f.Close())
}

func (panel *Panel) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = panel.Title, panel.X, panel.Y
	p.Legend.Top = true
	p.Legend.XOffs = -vg.Points(8)
	p.BackgroundColor = color.White
	p.Add(plotter.NewGrid())
	if panel.LogY {
		p.Y.Scale = plot.LogScale{}
		p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	}
	for i, line := range panel.Lines {
		if len(line.Points) == 0 {
			continue
		}
		points := make(plotter.XYs, len(line.Points))
		for j, q := range line.Points {
			points[j] = plotter.XY(q)
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line.Name, err)
		}
		if line.Steps {
			l.StepStyle = plotter.PostStep
		}
		l.Color = Colors[i%len(Colors)]
		l.Width = vg.Points(1.5)
		p.Add(l)
		p.Legend.Add(line.Name, l)
	}
	if panel.Min != 0 || panel.Max != 0 {
		p.Y.Min, p.Y.Max = panel.Min, panel.Max
	}
	return p, nil
}
