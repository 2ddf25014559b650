import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refused } from "./refused";
import type { Snapshot } from "./snapshot";
import type { Exported } from "./state";

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
