// Command sdks writes the Python and Go SDKs of a Pulumi package schema with Pulumi's own generators.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "npm run sdks"

func main() {
	if len(os.Args) < 4 {
		fail(fmt.Errorf("usage: sdks SCHEMA FOLDER LANGUAGE..."))
	}
	for _, language := range os.Args[3:] {
		if err := generate(os.Args[1], filepath.Join(os.Args[2], language), language); err != nil {
			fail(fmt.Errorf("%s: %w", language, err))
		}
	}
}

func generate(schemaFile, folder, language string) error {
	// Each language reads the schema afresh: a generator changes the package that it is given.
	pkg, err := load(schemaFile)
	if err != nil {
		return err
	}
	files, err := filesOf(pkg, language)
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func load(schemaFile string) (*schema.Package, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	// A warning about the schema is a mistake in it, so it counts as an error.
	if len(diagnostics) > 0 {
		return nil, diagnostics
	}
	return pkg, nil
}

func filesOf(pkg *schema.Package, language string) (map[string][]byte, error) {
	switch language {
	case "python":
		return python.GeneratePackage(tool, pkg, nil, nil)
	case "go":
		return gogen.GeneratePackage(tool, pkg, nil)
	default:
		return nil, fmt.Errorf("no generator; expected python or go")
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
