package tc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// classID is a class number as tc writes it, both parts in hexadecimal: the
// handle of the discipline and the number of the class in it. The number 0,
// not written, is the discipline itself.
type classID struct{ major, minor uint32 }

func (id classID) String() string {
	if id.minor == 0 {
		return fmt.Sprintf("%x:", id.major)
	}
	return fmt.Sprintf("%x:%x", id.major, id.minor)
}

const maxHandle = 0xffff

// parseHandle reads "H:", "H:0" or "H", H in hexadecimal; "none" is 0.
func parseHandle(word string) (uint32, error) {
	if word == "none" {
		return 0, nil
	}
	const use = "a handle is 1: to ffff:, in hexadecimal"
	major, minor, _ := strings.Cut(word, ":")
	if minor != "" && minor != "0" {
		return 0, errors.New(use)
	}
	return parseHex(major, use)
}

// parseClassID reads "M:N".
func parseClassID(word string) (id classID, err error) {
	const use = "a class is that of a handle and a number, such as 1:2, in hexadecimal"
	major, minor, ok := strings.Cut(word, ":")
	if !ok {
		return id, errors.New(use)
	}
	if id.major, err = parseHex(major, use); err != nil {
		return id, err
	}
	if id.minor, err = parseHex(minor, use); err != nil {
		return id, err
	}
	if id.major == 0 || id.minor == 0 {
		return id, errors.New(use)
	}
	return id, nil
}

// parseParent reads "M:N", or "M:" or "M:0" for the discipline itself.
func parseParent(word string) (id classID, err error) {
	if major, minor, ok := strings.Cut(word, ":"); ok && (minor == "" || minor == "0") {
		id.major, err = parseHex(major, "a parent is a discipline such as 1:, or a class such as 1:2, in hexadecimal")
		if err == nil && id.major == 0 {
			err = errors.New("no discipline has the handle 0")
		}
		return id, err
	}
	return parseClassID(word)
}

func parseHex(digits, use string) (uint32, error) {
	n, err := strconv.ParseUint(digits, 16, 16)
	if err != nil {
		return 0, errors.New(use)
	}
	return uint32(n), nil
}
