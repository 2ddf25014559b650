//go:build tools

// Package tools pins what `go build` of the Pulumi CLI and of the YAML language host needs, so that go.mod holds it.
package tools

import (
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
	_ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
)
