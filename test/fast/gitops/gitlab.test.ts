import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../harness/engine";

const text = readFileSync(join(root, "examples/gitops/.gitlab-ci.yml"), "utf8");
const page = readFileSync(join(root, "docs/gitops.md"), "utf8");

interface Job {
  readonly rules?: readonly { readonly if: string }[];
  readonly environment?: { readonly name: string };
}

test("variables that merge requests need are not protected: GitLab hides protected ones from their branches", () => {
  const jobs = Object.values(parse(text, { merge: true }) as Record<string, Job>);
  const merging = jobs.filter(({ rules, environment }) => {
    const isMerging = rules?.some((rule) => rule.if.includes("merge_request_event"));
    return isMerging && environment !== undefined;
  });
  expect(merging.map(({ environment }) => environment!.name)).toEqual(["$STACK-preview"]);
  const comment = text.slice(0, text.indexOf("stages:")).replace(/\n# /g, " ");
  for (const [words, preview] of [
    [comment, "dev-preview and prod-preview"],
    [page, "those of `-preview`"],
  ] as const) {
    expect(words).not.toMatch(/masked, protected/);
    expect(words.toLowerCase()).toContain(`${preview} must not be protected`);
    expect(words).toMatch(/REPORT_TOKEN[^.]*not protected/);
  }
});
