import { jsonText } from "../report/write";
import { packageFile } from "../version";

/** The files of a new project beside the program, by name. */
export function projectFiles(name: string, { baseUrl, extendedApi }: Settings): Record<string, string> {
  return {
    "Pulumi.yaml": pulumiYaml(name, { baseUrl, extendedApi }),
    "package.json": jsonText({
      name,
      private: true,
      main: "index.ts",
      dependencies: { "@pulumi/pulumi": "^3.120.0", "pulumi-dataplatform": `file:${packageFile()}` },
      devDependencies: { "@types/node": "^20.18.0", typescript: ">=5.0.0 <7" },
    }),
    "tsconfig.json": jsonText({
      compilerOptions: {
        target: "es2022",
        module: "node16",
        moduleResolution: "node16",
        types: ["node"],
        rootDir: ".",
        strict: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ["**/*.ts"],
      exclude: ["node_modules"],
    }),
    ".gitignore": "node_modules/\n",
  };
}

interface Settings {
  /** Undefined if each stack has its own. */
  readonly baseUrl: string | undefined;
  readonly extendedApi: boolean;
}

/** Sets plugin mode and the plugin's path, because Pulumi can only import through a plugin. */
function pulumiYaml(name: string, { baseUrl, extendedApi }: Settings): string {
  return `name: ${JSON.stringify(name)}
description: An existing data platform, exported with dataplatform export
runtime:
  name: nodejs
main: index.ts
plugins:
  providers:
    - name: dataplatform
      path: ./node_modules/pulumi-dataplatform/dist/plugin
config:
  dataplatform:mode:
    value: plugin
${baseUrl === undefined ? "" : `  dataplatform:baseUrl:\n    value: ${JSON.stringify(baseUrl)}\n`}${extendedApi ? "  dataplatform:extendedApi:\n    value: true\n" : ""}`;
}
