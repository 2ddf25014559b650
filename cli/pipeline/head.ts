import { findForge } from "./forge";
import { commitOf } from "./observe";
import { forgeKind } from "./place";
import { Refused } from "./refused";
import { git } from "./run";

/** A repair puts the platform back to what the protected branch says now: not to an older commit, and not to a branch. */
export async function requireHeadOf(branch: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { commit } = await commitOf("HEAD");
  const newest = forgeKind(env) ? await findForge(env)!.headOf(branch) : await remoteHead(branch);
  if (newest !== commit)
    throw new Refused([`foreign: this is commit ${commit}, and the head of ${branch} is ${newest || "not known"}`]);
}

async function remoteHead(branch: string): Promise<string> {
  const line = await git("ls-remote", "--exit-code", "origin", `refs/heads/${branch}`).catch((error: Error) => {
    throw new Refused([`not verifiable: the head of ${branch} cannot be read from origin: ${error.message}`]);
  });
  return line.split(/\s/)[0] ?? "";
}
