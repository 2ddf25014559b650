/** What plans are bound to, as it is here and now. */
import { readFileSync } from "node:fs";
import { outputOf, quiet } from "./run.mjs";
import { digestState } from "./state.mjs";

/** @param {string} stack @returns {Promise<import("./plan.mjs").Present>} */
export async function observe(stack) {
  const [commit = "", tree = ""] = (await git("rev-parse", "HEAD", "HEAD^{tree}")).split("\n");
  const exported = await outputOf("pulumi", ["stack", "export", ...quiet(stack)]);
  const versions = {
    "pulumi-dataplatform": versionOf("pulumi-dataplatform"),
    "@pulumi/pulumi": versionOf("@pulumi/pulumi"),
    pulumi: await outputOf("pulumi", ["version"]),
  };
  return { stack, commit, tree, versions, state: digestState(JSON.parse(exported)) };
}

/** Changes to files of the repository that no commit has. A plan that includes them would be bound to the wrong files. */
export async function uncommitted() {
  return (await git("status", "--porcelain", "--untracked-files=no")).split("\n").filter(Boolean);
}

/** @param {string[]} changes at least one */
export function uncommittedText([first = "", ...others]) {
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  return `there are changes that are not committed (${first.trim()}${more}): commit first`;
}

/** @param {string[]} args */
function git(...args) {
  // A container often runs as another user than the one who checked out.
  return outputOf("git", ["-c", "safe.directory=*", ...args]);
}

/** @param {string} name */
function versionOf(name) {
  return String(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version);
}
