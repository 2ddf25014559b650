import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { projectName } from "../pulumi/project";
import { writeData } from "./data-file";
import { requireDrift } from "./drift";
import { requireAsJudged } from "./observe";
import { requireTrusted } from "./place";
import { Refused, refuse } from "./refused";
import { digestState, type Exported, exportState, foreignCode } from "./state";

/** A stack's state for a job that must not reach the real one. */
export interface Snapshot {
  readonly format: 1;
  readonly stack: string;
  readonly project: string;
  readonly kind: "change" | "repair";
  /** URNs of what has drifted, for a repair. */
  readonly targets: readonly string[];
  /** Digest of the state that it is a copy of. */
  readonly digest: string;
  readonly exported: Exported;
}

export const snapshotFile = (stack: string): string => `snapshot/${stack}.json`;

/** Runs no program: only Pulumi's own commands, after a look at what they would execute. */
export async function snapshot(stack: string, kind: Snapshot["kind"], file: string): Promise<Snapshot> {
  requireTrusted();
  await requireAsJudged();
  const exported = await exportState(stack);
  refuse(foreignCode(exported));
  const provider = exported.deployment?.secrets_providers?.type;
  if (provider === "service")
    throw new Refused([
      "not supported: Pulumi Cloud encrypts the secrets of this stack, so a copy could be read with production's login only; change its secrets provider to a passphrase or a key service (pulumi stack change-secrets-provider)",
    ]);
  const taken: Snapshot = {
    format: 1,
    stack,
    project: projectName(resolve(".")) ?? "",
    kind,
    targets: kind === "repair" ? await drifted(stack) : [],
    digest: digestState(exported).digest,
    exported,
  };
  writeData(file, taken);
  return taken;
}

async function drifted(stack: string): Promise<string[]> {
  const { differing } = await requireDrift(stack);
  const urns = Object.keys(differing).sort();
  if (urns.length === 0) throw new Refused([`nothing to do: nothing of ${stack} has drifted`]);
  return urns;
}

/**
 * A copy of a stack in a folder, for as long as one run takes. Its file is written as the engine's file backend does:
 * `pulumi stack init` would change the stack's configuration file, and both commands would take seconds.
 */
export async function withCopy<T>(
  { project, stack }: Pick<Snapshot, "project" | "stack">,
  deployment: Exported["deployment"],
  work: (backend: NodeJS.ProcessEnv, folder: string) => Promise<T>,
): Promise<T> {
  // Both become parts of a path.
  for (const name of [project, stack])
    if (!/^[\w-][\w.-]*$/.test(name)) throw new Refused([`not verifiable: ${JSON.stringify(name)} is not a name`]);
  const folder = mkdtempSync(join(tmpdir(), "dataplatform-pipeline-"));
  try {
    const place = join(folder, "state/.pulumi/stacks", project);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(folder, "state/.pulumi/meta.yaml"), "version: 1\n");
    const checkpoint = { stack: `organization/${project}/${stack}`, ...(deployment ? { latest: deployment } : {}) };
    writeFileSync(join(place, `${stack}.json`), JSON.stringify({ version: 3, checkpoint }), { mode: 0o600 });
    return await work({ PULUMI_BACKEND_URL: `file://${join(folder, "state")}` }, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
