import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { UsageError } from "../errors";
import { projectAt, readProject } from "../pulumi/project";
import type { Options } from "./options";

/**
 * Where the code goes: to a project of its own, or to the project of the stacks, which stays as it is. In that project, a
 * folder gets a module for the program to call; the root gets the program itself.
 */
export interface Layout {
  readonly kind: "project" | "root" | "module";
  readonly folder: string;
  /** The root of the project. */
  readonly project: string;
}

export function layoutOf({ folder, cwd, fromStacks, tokens }: Options): Layout {
  const project = fromStacks && tokens === undefined ? projectAt(cwd) : undefined;
  const inside = project === undefined ? ".." : relative(project, folder);
  if (project === undefined || inside.startsWith("..")) return { kind: "project", folder, project: folder };
  const { runtime = "nodejs" } = readProject(project);
  if (runtime !== "nodejs")
    throw new UsageError(
      `export writes TypeScript, and ${project} is a project in ${runtime}. Name a folder outside it, then run "pulumi import --file FOLDER/import.json --out FILE" here: it writes the declarations in ${runtime} to FILE`,
    );
  return { kind: inside === "" ? "root" : "module", folder, project };
}

/** Files that every export of this layout writes, to refuse before a large account is read. */
const always = ["index.ts", "import.json"];
const alwaysOfProject = ["Pulumi.yaml", "package.json", "tsconfig.json", ".gitignore"];

export function refuseEarly({ kind, folder }: Layout): void {
  refuseOverwriting(folder, kind === "project" ? [...always, ...alwaysOfProject] : always);
}

export function refuseOverwriting(folder: string, names: readonly string[]): void {
  const existing = names.filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0)
    throw new Error(
      `${folder} already contains ${existing.join(", ")}; choose another folder, or overwrite with --force`,
    );
}

/** `./adopted`, as the program of the project imports it. */
export function moduleName({ project, folder }: Layout, inside = ""): string {
  return `./${relative(project, join(folder, inside)).replaceAll("\\", "/")}`;
}
