import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { UsageError } from "../errors";
import { projectAt, readProject } from "../pulumi/project";
import type { Options } from "./options";
import { isModuleName } from "./python";

/**
 * Where the code goes: to a project of its own, or to the project of the stacks, which stays as it is. In that project, a
 * folder gets a module for the program to call; the root gets the program itself. For a project in a language that we do
 * not write, any folder gets the import files alone.
 */
export interface Layout {
  readonly kind: "project" | "root" | "module" | "imports";
  /** As Pulumi names it: `nodejs`, `python`, … */
  readonly language: string;
  readonly folder: string;
  /** The root of the project. */
  readonly project: string;
}

export function layoutOf({ folder, cwd, fromStacks, tokens }: Options): Layout {
  const project = fromStacks && tokens === undefined ? projectAt(cwd) : undefined;
  const { runtime: language = "nodejs" } = project === undefined ? {} : readProject(project);
  const inside = project === undefined ? ".." : relative(project, folder);
  if (project === undefined || (language === "nodejs" && inside.startsWith("..")))
    return { kind: "project", language: "nodejs", folder, project: folder };
  if (language === "python") refuseUnimportable(inside, project);
  else if (language !== "nodejs") return { kind: "imports", language, folder, project };
  return { kind: inside === "" ? "root" : "module", language, folder, project };
}

/** Modules that Python has loaded before the program could load ours. */
const loaded = ["platform", "resource", "types", "code", "site", "pulumi", "pulumi_dataplatform"];

function refuseUnimportable(inside: string, project: string): void {
  const names = inside.split(sep);
  const advice = `name a folder of ${project} that its program, in Python, can import, such as ${join(project, "adopted")}`;
  if (!names.every(isModuleName)) throw new UsageError(advice);
  if (loaded.includes(names[0]!)) throw new UsageError(`Python has a module ${names[0]} already; ${advice}`);
}

const alwaysOfProject = ["Pulumi.yaml", "package.json", "tsconfig.json", ".gitignore"];

/** The file that has the code of an account, or calls it. */
export function codeFile({ kind, language }: Layout): string | undefined {
  return kind === "imports" ? undefined : language === "python" ? "__init__.py" : "index.ts";
}

/** Looks for files that every export of this layout writes, to refuse before a large account is read. */
export function refuseEarly(layout: Layout): void {
  const always = [codeFile(layout) ?? [], "import.json"].flat();
  refuseOverwriting(layout.folder, layout.kind === "project" ? [...always, ...alwaysOfProject] : always);
}

export function refuseOverwriting(folder: string, names: readonly string[]): void {
  const existing = names.filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0)
    throw new Error(
      `${folder} already contains ${existing.join(", ")}; choose another folder, or overwrite with --force`,
    );
}

/** `./adopted`, as the program of the project imports it, or a file in it. */
export function moduleName({ project, folder }: Layout, inside = ""): string {
  const path = relative(project, join(folder, inside)).replaceAll("\\", "/");
  return path.startsWith("..") ? path : `./${path}`;
}
