//go:build !linux

package main

import "errors"

func measureReal() ([]measurement, error) {
	return nil, &unavailable{errors.New("the path is made of network namespaces, veth and tbf, so only on Linux")}
}
