import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { readProject } from "../pulumi/project";
import { tryPulumi } from "../pulumi/run";
import { quoted } from "../terminal/quote";
import { installCommand, packageVersion } from "../version";
import { type Finding, findingsOf } from "./finding";

const { ok, info, warning, problem } = findingsOf("Tools");
/** The command line tool and the package of a program have versions of their own. */
const minimum = { node: "20.18.0", pulumi: "3.150.0", sdk: "3.120.0" } as const;
const installPulumi = "curl -fsSL https://get.pulumi.com | sh";
const self = "pulumi-dataplatform";

/** Versions of Pulumi, Node and the packages, and whether they are recent enough. */
export async function toolFindings(cwd: string, project: string | undefined, runtime = "nodejs"): Promise<Finding[]> {
  const engine = await pulumiFinding(cwd);
  return [nodeFinding(process.versions.node), engine, ...packageFindings(project, runtime)];
}

export function nodeFinding(version: string): Finding {
  return versionFinding("Node", version, minimum.node, "nvm install 22   # or install Node 20.18 or later another way");
}

async function pulumiFinding(cwd: string): Promise<Finding> {
  try {
    const { stdout, code } = await tryPulumi(["version"], cwd);
    const version = stdout.trim().replace(/^v/, "");
    if (code !== 0 || !/^\d/.test(version))
      return problem("Pulumi", '"pulumi version" failed or printed no version', "pulumi version");
    return engineFinding(version);
  } catch (error) {
    return problem("Pulumi", (error as Error).message.split(";", 1)[0]!, installPulumi);
  }
}

export function engineFinding(version: string): Finding {
  return versionFinding("Pulumi", version, minimum.pulumi, installPulumi);
}

function versionFinding(what: string, version: string, wanted: string, fix: string): Finding {
  if (isAtLeast(version, wanted)) return ok(what, version);
  return problem(what, `${version} is too old; ${wanted} or later is needed`, fix);
}

function packageFindings(project: string | undefined, runtime: string): Finding[] {
  const own = packageVersion();
  if (project === undefined) return [ok(self, own), info("project", "no Pulumi project in this folder")];
  if (runtime !== "nodejs") return [ok(self, own), ...(runtime === "python" ? pythonFindings(project) : [])];
  return [ownFinding(own, installedVersion(project, self)), sdkFinding(installedVersion(project, "@pulumi/pulumi"))];
}

export function ownFinding(own: string, installed: string | undefined): Finding {
  if (installed === own) return ok(self, own);
  if (installed === undefined)
    return warning(
      self,
      `${own}, but not installed in the project`,
      `${installCommand()}   # the package is in no registry`,
    );
  return warning(
    self,
    `this is ${own}, but the project has ${installed}`,
    "npx --no-install dataplatform doctor   # in the project's folder",
  );
}

function sdkFinding(version: string | undefined): Finding {
  const name = "@pulumi/pulumi";
  if (version === undefined)
    return warning(name, "not installed in the project; a TypeScript program needs it", "npm install @pulumi/pulumi");
  if (!version.startsWith("3.") || !isAtLeast(version, minimum.sdk))
    return problem(name, `${version} is not supported; 3.x from 3.120 on is needed`, "npm install @pulumi/pulumi@3");
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

function isAtLeast(version: string, wanted: string): boolean {
  const [have, need] = [version, wanted].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, part] of need!.entries()) {
    const own = have![index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

const pythonSdk = "pulumi_dataplatform";

/** Whether a program in Python finds our SDK. Without a virtual environment in the project's file, nobody knows where. */
export function pythonFindings(project: string): Finding[] {
  const { name, virtualenv } = readProject(project);
  if (virtualenv === undefined) return [];
  const folder = resolve(project, virtualenv);
  const installed = packageFolders(folder);
  if (installed.length === 0)
    return [
      problem("virtualenv", `${name} names ${virtualenv}, where there is none`, `python3 -m venv ${quoted(folder)}`),
    ];
  if (installed.some((packages) => existsSync(join(packages, pythonSdk))))
    return [ok(pythonSdk, `installed in ${virtualenv}`)];
  const pip = quoted(join(folder, "bin", "pip"));
  return [
    problem(
      pythonSdk,
      `not installed in ${virtualenv}`,
      `${pip} install FOLDER   # sdks/python, made by "npm run sdks" in a clone`,
    ),
  ];
}

function packageFolders(folder: string): string[] {
  const lib = join(folder, "lib");
  const versions = existsSync(lib) ? readdirSync(lib).map((version) => join(lib, version, "site-packages")) : [];
  // The second form is that of Windows.
  return [...versions, join(folder, "Lib", "site-packages")].filter((packages) => existsSync(packages));
}
