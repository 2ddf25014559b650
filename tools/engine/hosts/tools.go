//go:build tools

// Package tools pins what `go build` of Pulumi's Node and Python language hosts needs, so that go.mod holds it.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
