import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { tryPulumi } from "../pulumi/run";
import { packageVersion } from "../version";
import { type Finding, findingsOf } from "./finding";

const { ok, info, warning, problem } = findingsOf("Tools");
const lowest = { node: "20.18.0", pulumi: "3.120.0" } as const;
const self = "pulumi-dataplatform";

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

export function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, part] of need!.entries()) {
    const own = have![index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
