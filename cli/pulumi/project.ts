import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** The project file names that the engine accepts, in its order. */
export const projectFiles = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

const Project = z.looseObject({
  name: z.string().nullish(),
  runtime: z
    .union([
      z.string().transform((name) => ({ name, options: undefined })),
      z.looseObject({ name: z.string(), options: z.looseObject({ virtualenv: z.string().nullish() }).nullish() }),
    ])
    .nullish(),
  plugins: z
    .looseObject({
      providers: z.array(z.looseObject({ name: z.string(), path: z.string().nullish() })).nullish(),
    })
    .nullish(),
  packages: z.record(z.string(), z.unknown()).nullish(),
});

/** The nearest folder, from `folder` upwards, with a Pulumi project file. */
export function projectAt(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (fileIn(at)) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The name of the project itself. */
export function projectName(folder: string): string | undefined {
  return parseProject(folder).project.name ?? undefined;
}

function parseProject(folder: string): { readonly name: string; readonly project: z.output<typeof Project> } {
  const file = fileIn(folder);
  if (!file) throw new Error(`there is no Pulumi.yaml in ${folder}`);
  const name = basename(file);
  const project = Project.safeParse(contentOf(file, name));
  if (!project.success)
    throw new Error(`${name} is not a valid Pulumi project file: ${z.prettifyError(project.error)}`);
  return { name, project: project.data };
}

/** Reads the parts of the project file that we need. */
export function readProject(folder: string) {
  const { name, project } = parseProject(folder);
  const { runtime, plugins, packages } = project;
  const named = plugins?.providers?.find((provider) => provider.name === "dataplatform");
  const pluginFolder = named ? (named.path ?? "") : localPackage(packages?.["dataplatform"]);
  return {
    /** Such as `Pulumi.yaml`. */
    name,
    /** The language of the program, as Pulumi names it: `nodejs`. */
    runtime: runtime?.name,
    /** The folder that Python's packages are in, if the project names one. */
    virtualenv: runtime?.options?.virtualenv ?? undefined,
    /** The folder that the project sets for our plugin, verbatim. */
    pluginFolder,
  };
}

/** The language of the program; undefined without a project, or if its file cannot be read, which others report. */
export function runtimeOf(project: string | undefined): string | undefined {
  try {
    return project === undefined ? undefined : readProject(project).runtime;
  } catch {
    return undefined;
  }
}

function contentOf(file: string, name: string): unknown {
  const text = readFileSync(file, "utf8");
  try {
    // The engine's parser supports merge keys (`<<`), so ours must too.
    return file.endsWith(".json") ? JSON.parse(text) : parse(text, { merge: true, logLevel: "error" });
  } catch (error) {
    throw new Error(`${name} cannot be parsed: ${(error as Error).message.split("\n", 1)[0]!.replace(/:$/, "")}`);
  }
}

/** `packages:` may contain a folder too; anything else is a registry or repository. */
function localPackage(spec: unknown): string | undefined {
  const source = typeof spec === "object" && spec !== null ? (spec as { source?: unknown }).source : spec;
  return typeof source === "string" && /^\.{0,2}[\\/]/.test(source) ? source : undefined;
}

function fileIn(folder: string): string | undefined {
  return projectFiles.map((name) => join(folder, name)).find((file) => existsSync(file));
}
