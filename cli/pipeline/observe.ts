import { readFileSync } from "node:fs";
import type { Present } from "./plan";
import { git, pulumiOutput, quiet } from "./run";
import { digestState } from "./state";

/** What plans are bound to, as it is here and now. */
export async function observe(stack: string): Promise<Present> {
  const [commit = "", tree = ""] = (await git("rev-parse", "HEAD", "HEAD^{tree}")).split("\n");
  const exported = await pulumiOutput(["stack", "export", ...quiet(stack)], "state");
  const versions = {
    "pulumi-dataplatform": versionOf("pulumi-dataplatform"),
    "@pulumi/pulumi": versionOf("@pulumi/pulumi"),
    pulumi: (await pulumiOutput(["version"], "git")).trim(),
  };
  return { stack, commit, tree, versions, state: digestState(JSON.parse(exported)) };
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
