package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestMeasured(t *testing.T) {
	runs := []measurement{
		{name: "a", mbit: 9.876, p50: 2 * time.Second, p99: 2100 * time.Millisecond, most: 2200 * time.Millisecond, inflight: 4000000},
		{name: "b", mbit: 10, p50: 640 * time.Microsecond, p99: time.Millisecond, most: time.Second, limited: true, inflight: 1514, limit: 1400},
	}
	var out bytes.Buffer
	if err := measured(&out, func() ([]measurement, error) { return runs, nil }); err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(` +`).ReplaceAllString(out.String(), " ")
	for _, want := range []string{
		" a 9.88 Mbit/s 2000.0 ms 2100.0 ms 2200.0 ms 4000000 -\n",
		" b 10.00 Mbit/s 0.6 ms 1.0 ms 1000.0 ms 1514 1400\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not printed:\n%s\nbut:\n%s", want, text)
		}
	}
}

// TestNotMeasured: what a machine lacks is a sentence, everything else an error.
func TestNotMeasured(t *testing.T) {
	var out bytes.Buffer
	lacks := fmt.Errorf("path: %w", &unavailable{errors.New("no root")})
	if err := measured(&out, func() ([]measurement, error) { return nil, lacks }); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "\nNot possible here: no root.\nThe simulation above stands alone.") {
		t.Errorf("printed %q", out.String())
	}
	out.Reset()
	broken := errors.New("broken")
	if err := measured(&out, func() ([]measurement, error) { return nil, broken }); err != broken {
		t.Errorf("error %v, want %v", err, broken)
	}
	if out.String() != realHeading {
		t.Errorf("printed %q", out.String())
	}
}
