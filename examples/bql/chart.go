package main

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// chartTime is how much of a run the chart shows: the limit has found its
// level by then.
const chartTime = 60 * millisecond

var lineColors = []color.Color{
	color.RGBA{R: 0xd5, G: 0x5e, A: 0xff},
	color.RGBA{G: 0x72, B: 0xb2, A: 0xff},
	color.RGBA{G: 0x9e, B: 0x73, A: 0xff},
}

// chart draws the bytes in flight over time as a PNG.
func chart(file string, runs []*full) error {
	p := plot.New()
	p.Title.Text = "Bytes in the device, 10 Mbit/s, frames of 1514 bytes"
	p.X.Label.Text = "time (ms)"
	p.Y.Label.Text = "bytes in flight"
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
	end := float64(chartTime) / float64(millisecond)
	p.Legend.Top = true
	p.Legend.XOffs = -vg.Points(8)
	p.Add(plotter.NewGrid())
	for i, r := range runs {
		points := make(plotter.XYs, 0, len(r.series)+1)
		for _, s := range r.series {
			points = append(points, plotter.XY{X: float64(s.at) / float64(millisecond), Y: float64(s.bytes)})
		}
		last := points[len(points)-1]
		points = append(points, plotter.XY{X: end, Y: last.Y})
		l, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		l.StepStyle = plotter.PostStep
		l.Color = lineColors[i%len(lineColors)]
		l.Width = vg.Points(1.5)
		p.Add(l)
		p.Legend.Add(r.name, l)
	}
	p.X.Min, p.X.Max = 0, end+1 // room for the last label
	p.Y.Min, p.Y.Max = 1000, 200_000
	return p.Save(20*vg.Centimeter, 12*vg.Centimeter, file)
}
