import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { summary } from "./model";

interface Example {
  readonly file: string;
  readonly definition: { readonly doc: string; readonly extended?: { readonly required?: true } | undefined };
}

/** What makes a project of the example of a resource or a function, beside its program. A description is kept. */
export function exampleProject({ file, definition }: Example, root: string, version: string): [string, string][] {
  const project = join(root, "examples", file, "Pulumi.yaml");
  const [described] = existsSync(project) ? (/^description: .*/m.exec(readFileSync(project, "utf8")) ?? []) : [];
  const files = {
    "Pulumi.yaml": `name: ${file}
${described ?? `description: ${JSON.stringify(summary(definition.doc))}`}
runtime: nodejs
${definition.extended?.required ? extended : ""}`,
    "package.json": JSON.stringify({
      name: file,
      private: true,
      main: "index.ts",
      dependencies: { "@pulumi/pulumi": "^3.120.0", "pulumi-dataplatform": `^${version}` },
      devDependencies: { "@types/node": "^20.18.0", typescript: ">=5.0.0 <7" },
    }),
    "tsconfig.json": JSON.stringify({ compilerOptions, files: ["index.ts"] }),
  };
  return Object.entries(files).map(([name, text]) => [`examples/${file}/${name}`, text]);
}

const extended = `config:
  # These operations are beside the specification: see docs/extended-api.md
  dataplatform:extendedApi:
    value: true
`;

const compilerOptions = {
  target: "es2022",
  module: "node16",
  moduleResolution: "node16",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};
