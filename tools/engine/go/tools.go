//go:build tools

// Package tools pins what `go build` of the Pulumi Go language host needs, so that go.mod holds it.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
