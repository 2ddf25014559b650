import * as pulumi from "@pulumi/pulumi";
import type { EnvironmentFile } from "../provider/environment-files";
import { TeamEnvironment } from "./components/team-environment";
import type { TeamEnvironmentArgs } from "./components/team-environment-args";

/** An environment that a file describes. */
export interface LoadedEnvironment {
  /** The file's name without its extension. */
  readonly name: string;
  readonly file: string;
  /** With the secrets of the stack's configuration in their places. */
  readonly args: TeamEnvironmentArgs;
}

/**
 * Reads environments from YAML files, one per team: a folder, or a path such as `environments/*.yaml`. Throws one error
 * that names every mistake in every file, with its line.
 *
 * ```typescript
 * for (const { name, args } of dataplatform.loadEnvironments("environments")) {
 *   new dataplatform.TeamEnvironment(name, args);
 * }
 * ```
 */
export function loadEnvironments(pattern: string): LoadedEnvironment[] {
  return load(pattern, { inOneAccount: false });
}

function load(pattern: string, options: Options): LoadedEnvironment[] {
  const files = read(pattern, options);
  const missing = files.flatMap(({ secrets }) => secrets).filter(({ name }) => secretOf(name) === undefined);
  if (missing.length > 0) {
    const lines = missing.map(
      ({ place, name }) => `${place}: the secret ${name} is not set; run "pulumi config set --secret ${name}"`,
    );
    throw new pulumi.RunError(`${pattern}: secrets are missing\n  ${lines.join("\n  ")}`);
  }
  return files.map(({ name, file, args, secrets }) => ({
    name,
    file,
    args: secrets.reduce((filled, secret) => withValueAt(filled, secret.path, secretOf(secret.name)), args),
  }));
}

/**
 * Declares the environments of YAML files, one per team. Returns them by name.
 *
 * ```typescript
 * const { blue } = dataplatform.teamEnvironments("environments/*.yaml");
 * ```
 */
export function teamEnvironments(
  pattern: string,
  opts?: pulumi.ComponentResourceOptions,
): Readonly<Record<string, TeamEnvironment>> {
  const made = load(pattern, { inOneAccount: true }).map(
    ({ name, args }) => [name, new TeamEnvironment(name, args, opts)] as const,
  );
  return Object.fromEntries(made);
}

interface Options {
  /** Whether one program's account holds all environments: `loadEnvironments` does not know their providers. */
  readonly inOneAccount: boolean;
}

/** Loaded with the first call: programs without files need neither zod nor a YAML parser. */
function read(pattern: string, options: Options): EnvironmentFile[] {
  const { readEnvironments, otherExtensions } =
    require("../provider/environment-files") as typeof import("../provider/environment-files");
  try {
    const files = readEnvironments(pattern, options);
    for (const file of otherExtensions(pattern))
      void pulumi.log.warn(`${file} is not read, because ${pattern} names another extension; rename the file`);
    return files;
  } catch (error) {
    // Pulumi prints the stack of other errors, which does not help here.
    throw Object.assign(new pulumi.RunError((error as Error).message), { code: (error as { code?: unknown }).code });
  }
}

/** `name` is of the project, `namespace:name` of another one. */
function secretOf(name: string): pulumi.Output<string> | undefined {
  const [namespace, key] = name.includes(":") ? name.split(":", 2) : [undefined, name];
  return new pulumi.Config(namespace).getSecret(key!);
}

function withValueAt<T extends object>(target: T, [key = "", ...rest]: readonly string[], value: unknown): T {
  const inner = (target as Record<string, unknown>)[key] as object;
  return { ...target, [key]: rest.length === 0 ? value : withValueAt(inner, rest, value) };
}
