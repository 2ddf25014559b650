import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { tryPulumi } from "../pulumi/run.js";
import { packageVersion } from "../version.js";
import { type Finding, findingsOf } from "./finding.js";

const { ok, info, warning, problem } = findingsOf("Tools");
const lowest = { node: "20.18.0", pulumi: "3.120.0" } as const;
const self = "pulumi-dataplatform";

/** The folder of the Pulumi project that a folder belongs to. */
export function projectAt(folder: string): string | undefined {
  const named = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
  for (let at = folder; ; at = dirname(at)) {
    if (named.some((name) => existsSync(join(at, name)))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** Engine, Node and packages: what is installed, and whether it is new enough. */
export async function toolFindings(cwd: string, project: string | undefined): Promise<Finding[]> {
  const engine = await pulumiFinding(cwd);
  return [nodeFinding(process.versions.node), engine, ...packageFindings(project)];
}

export function nodeFinding(version: string): Finding {
  if (isAtLeast(version, lowest.node)) return ok("Node", version);
  return problem(
    "Node",
    `${version} is too old; ${lowest.node} or later is needed`,
    "nvm install 22   # or any other way to Node 20.18 or later",
  );
}

async function pulumiFinding(cwd: string): Promise<Finding> {
  try {
    const { stdout, code } = await tryPulumi(["version"], cwd);
    const version = stdout.trim().replace(/^v/, "");
    if (code !== 0 || !/^\d/.test(version)) return problem("Pulumi", "does not tell its version", "pulumi version");
    if (isAtLeast(version, lowest.pulumi)) return ok("Pulumi", version);
    return problem(
      "Pulumi",
      `${version} is too old; ${lowest.pulumi} or later is needed`,
      "curl -fsSL https://get.pulumi.com | sh",
    );
  } catch (error) {
    return problem("Pulumi", (error as Error).message.split(";", 1)[0]!, "curl -fsSL https://get.pulumi.com | sh");
  }
}

function packageFindings(project: string | undefined): Finding[] {
  const own = packageVersion();
  if (project === undefined) return [ok(self, own), info("project", "there is no Pulumi project in this folder")];
  return [ownFinding(own, installedVersion(project, self)), sdkFinding(installedVersion(project, "@pulumi/pulumi"))];
}

function ownFinding(own: string, installed: string | undefined): Finding {
  if (installed === own) return ok(self, own);
  if (installed === undefined)
    return warning(self, `${own}, but the project has none`, "npm install pulumi-dataplatform");
  return warning(
    self,
    `this is ${own}, the project has ${installed}`,
    "npx dataplatform doctor   # in the project's folder",
  );
}

function sdkFinding(version: string | undefined): Finding {
  const name = "@pulumi/pulumi";
  if (version === undefined)
    return warning(name, "the project has none; a TypeScript program needs it", "npm install @pulumi/pulumi");
  if (!version.startsWith("3.") || !isAtLeast(version, lowest.pulumi))
    return problem(name, `${version} does not fit; 3.120 or later of 3 is needed`, "npm install @pulumi/pulumi@3");
  return ok(name, version);
}

function installedVersion(project: string, name: string): string | undefined {
  try {
    const file = createRequire(join(project, "index.js")).resolve(`${name}/package.json`);
    return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  } catch {
    return undefined;
  }
}

/** In plugin mode the engine must find the plugin: in the folder that the project names, or on PATH. */
export function pluginFinding(project: string): Finding {
  const text = readFileSync(
    ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(project, name)).find(existsSync)!,
    "utf8",
  );
  const named = /name["']?:\s*["']?dataplatform\b[^-]*?path["']?:\s*["']?([^\s"',}]+)/.exec(text)?.[1];
  const folders = named ? [resolve(project, named)] : (process.env["PATH"] ?? "").split(delimiter);
  const found = folders.find((folder) =>
    ["", ".cmd"].some((ending) => existsSync(join(folder, `pulumi-resource-dataplatform${ending}`))),
  );
  if (found) return ok("plugin", join(found, "pulumi-resource-dataplatform"));
  const where = named ? `${folders[0]}, where Pulumi.yaml names it,` : "PATH, and Pulumi.yaml names no folder";
  return problem(
    "plugin",
    `dataplatform:mode is plugin, and the plugin is not in ${where}`.replace(/,$/, ""),
    named
      ? "npm install"
      : "add to Pulumi.yaml: plugins: { providers: [{ name: dataplatform, path: ./node_modules/pulumi-dataplatform/dist/plugin }] }",
  );
}

export function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, part] of need!.entries()) {
    const own = have![index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
