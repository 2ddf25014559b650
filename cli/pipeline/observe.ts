import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { installedDigest } from "./installed";
import { requireAsJudged } from "./on-disk";
import type { Present } from "./plan";
import { git, gitAgrees, pulumiOutput } from "./run";

/** What plans are bound to, apart from the state, as it is here and now. */
export async function observe(stack: string): Promise<Present> {
  await requireAsJudged();
  return { stack, ...(await commitOf("HEAD")), ...(await toolchain()) };
}

export async function commitOf(revision: string): Promise<{ readonly commit: string; readonly tree: string }> {
  // What begins with a hyphen would be an option.
  if (!/^\w[\w./-]*$/.test(revision)) throw new Error(`${JSON.stringify(revision)} is not the name of a commit`);
  try {
    const commit = await git("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
    return { commit, tree: await git("rev-parse", "--verify", `${commit}^{tree}`) };
  } catch {
    throw new Error(`there is no commit ${revision} here; fetch it, without checking it out`);
  }
}

/** What runs the program. */
export async function toolchain(): Promise<Pick<Present, "versions" | "installed">> {
  if (!existsSync("node_modules"))
    throw new Error("there is no node_modules in this folder; run npm ci --ignore-scripts first");
  const versions = {
    "pulumi-dataplatform": versionOf("pulumi-dataplatform"),
    "@pulumi/pulumi": versionOf("@pulumi/pulumi"),
    pulumi: (await pulumiOutput(["version"], "git")).trim(),
  };
  return { versions, installed: installedDigest() };
}

/** Changes to files of the repository that no commit has. A plan that includes them would be bound to the wrong files. */
export async function uncommitted(): Promise<string[]> {
  return (await git("status", "--porcelain", "--untracked-files=no")).split("\n").filter(Boolean);
}

/** `changes`: at least one. */
export function uncommittedText([first = "", ...others]: readonly string[]): string {
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  return `there are changes that are not committed (${first.trim()}${more}): commit first`;
}

function versionOf(name: string): string {
  return String(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version);
}

/** Whether git would take a new file, where it is to be written. */
export async function isForGit(file: string): Promise<boolean> {
  const path = resolve(file);
  const at = ["-C", dirname(path)];
  const isInside = await gitAgrees(...at, "rev-parse", "--show-toplevel");
  return isInside && !(await gitAgrees(...at, "check-ignore", "--quiet", path));
}
