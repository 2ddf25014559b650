//go:build tools

// Package tools pins what `go build` of actionlint needs, so that go.mod and go.sum hold it.
package tools

import _ "github.com/rhysd/actionlint/cmd/actionlint"
