//go:build tools

// Package tools pins what `go build` of the Pulumi CLI needs, so that go.mod and go.sum hold it.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
