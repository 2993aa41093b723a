package trace

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFit(t *testing.T) {
	n, err := Fit[uint8](255)
	require.NoError(t, err)
	assert.Equal(t, uint8(255), n)
	for _, v := range []int64{256, -1, 1 << 40} {
		_, err := Fit[uint8](v)
		assert.Error(t, err, "%d", v)
	}
	_, err = Fit[uint64](-1)
	assert.Error(t, err)
}

// A small file that unpacks to a huge one is refused.
func TestReadBound(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write([]byte("trace 1\n" + strings.Repeat("\n", maxSize)))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	_, err = Read("bomb", &packed)
	assert.ErrorContains(t, err, "longer than")
}

func TestSegmentsBound(t *testing.T) {
	_, err := Read("x", strings.NewReader("trace 1\nqdisc pfifo\nbegin\n= 0 limit 10\nE 1 1 4000000000 1 1 1 00 0 gso=1\n= 0 1 1\nend\n"))
	assert.ErrorContains(t, err, "segments")
}
