// SPDX-License-Identifier: GPL-2.0-only

package plot

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"kgen/gen/report"
)

// scale is an axis that is not linear, with its ticks.
type scale interface {
	plot.Normalizer
	plot.Ticker
	forward(v float64) float64 // to what is drawn linearly
	back(t float64) float64
}

func normalize(s scale, min, max, v float64) float64 {
	lo, hi := s.forward(min), s.forward(max)
	return (s.forward(v) - lo) / (hi - lo)
}

// bytesScale is linear up to about a KiB on both sides of 0 and logarithmic
// beyond: designs add nothing, some KiB or half a MiB, and may save some.
type bytesScale struct{}

const kib = 1024

func (bytesScale) forward(v float64) float64 {
	return math.Copysign(math.Log2(1+math.Abs(v)/kib), v)
}

func (bytesScale) back(t float64) float64 {
	return math.Copysign(kib*(math.Exp2(math.Abs(t))-1), t)
}

func (s bytesScale) Normalize(min, max, v float64) float64 { return normalize(s, min, max, v) }

// Ticks are 0 and every fourth power of two KiB, with a minor one between.
func (bytesScale) Ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for _, sign := range []float64{-1, 1} {
		for k := 0; k <= 12; k++ {
			v := sign * math.Exp2(float64(k)) * kib
			if v < min || v > max {
				continue
			}
			label := ""
			switch {
			case k%2 == 1:
			case k < 10:
				label = fmt.Sprintf("%g KiB", v/kib)
			default:
				label = fmt.Sprintf("%g MiB", v/kib/kib)
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: label})
		}
	}
	if min <= 0 && 0 <= max {
		ticks = append(ticks, plot.Tick{Value: 0, Label: "0"})
	}
	return ticks
}

// timeScale is logarithmic. Ticks are at 1, 2 and 5 times the powers of ten.
type timeScale struct{ unit report.Unit }

func (timeScale) forward(v float64) float64 { return math.Log10(v) }
func (timeScale) back(t float64) float64    { return math.Pow(10, t) }

func (s timeScale) Normalize(min, max, v float64) float64 { return normalize(s, min, max, v) }

func (s timeScale) Ticks(min, max float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(min)); e <= math.Log10(max); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow(10, e)
			if v < min || v > max {
				continue
			}
			t := plot.Tick{Value: v}
			if m == 1 || m == 2 || m == 5 {
				t.Label = trimZeros(s.unit.Write(v))
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// powerScale is logarithmic, with a tick at every power of two, or at the values
// it is given.
type powerScale struct{ ticks []float64 }

func (powerScale) forward(v float64) float64 { return math.Log2(v) }
func (powerScale) back(t float64) float64    { return math.Exp2(t) }

func (s powerScale) Normalize(min, max, v float64) float64 { return normalize(s, min, max, v) }

func (s powerScale) Ticks(min, max float64) []plot.Tick {
	at := s.ticks
	if at == nil {
		for v := math.Exp2(math.Ceil(math.Log2(min))); v <= max; v *= 2 {
			at = append(at, v)
		}
	}
	var ticks []plot.Tick
	for _, v := range at {
		ticks = append(ticks, plot.Tick{Value: v, Label: report.Comma(int64(v))})
	}
	return ticks
}

// trimZeros turns 20.0 to 20.
func trimZeros(s string) string {
	for i := range s {
		if s[i] == '.' {
			for s[len(s)-1] == '0' {
				s = s[:len(s)-1]
			}
			if s[len(s)-1] == '.' {
				s = s[:len(s)-1]
			}
			break
		}
	}
	return s
}
