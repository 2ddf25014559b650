//go:build tools

// Package tools pins what `go build` of the Pulumi Python language host needs, so that go.mod and go.sum hold it.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
