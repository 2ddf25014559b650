import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readProject } from "../pulumi/project";
import { quoted } from "../terminal/quote";
import { type Finding, findingsOf } from "./finding";

const { ok, problem } = findingsOf("Tools");
const sdk = "pulumi_dataplatform";

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
  if (installed.some((packages) => existsSync(join(packages, sdk)))) return [ok(sdk, `installed in ${virtualenv}`)];
  const pip = quoted(join(folder, "bin", "pip"));
  return [
    problem(
      sdk,
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
