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
  const remote = await remoteOf(branch);
  if (remote === undefined) return localHead(branch);
  const line = await git("ls-remote", "--exit-code", remote, `refs/heads/${branch}`).catch((error: Error) => {
    throw new Refused([`not verifiable: the head of ${branch} cannot be read from ${remote}: ${error.message}`]);
  });
  return line.split(/\s/)[0] ?? "";
}

async function localHead(branch: string): Promise<string> {
  const found = await commitOf(`refs/heads/${branch}`).catch(() => undefined);
  if (found) return found.commit;
  throw new Refused([`not verifiable: there is no branch ${branch} here; name the protected one with --branch`]);
}

/** Where the branch is shared. Undefined if the repository has no remote. */
async function remoteOf(branch: string): Promise<string | undefined> {
  const remotes = (await git("remote")).split("\n").filter(Boolean);
  const own = await git("config", "--get", `branch.${branch}.remote`).catch(() => "");
  return [own, "origin", ...remotes].find((name) => remotes.includes(name));
}

/** On one's own machine: what a pull request would be compared with, as far as it was fetched. */
export async function protectedCommit(branch: string): Promise<string | undefined> {
  const remote = await remoteOf(branch);
  for (const ref of [...(remote ? [`refs/remotes/${remote}/${branch}`] : []), `refs/heads/${branch}`]) {
    const found = await commitOf(ref).catch(() => undefined);
    if (found) return found.commit;
  }
  return undefined;
}
