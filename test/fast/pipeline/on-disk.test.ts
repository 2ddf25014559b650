import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readData, readJsonData } from "../../../cli/pipeline/data-file";
import { installedDigest } from "../../../cli/pipeline/installed";
import { commitOf, requireAsJudged, uncommitted } from "../../../cli/pipeline/observe";
import { Refused } from "../../../cli/pipeline/refused";
import { ownFolder } from "../../harness/folders";
import { eachWithCommit } from "./repository";

/* What is judged is in git; what runs is on the disk. An attribute lets git write another text than it keeps. */

const forge = { GITHUB_ACTIONS: "true" };
const plain = "config:\n  dataplatform:baseUrl: https://platform.example.com\n";
const at = eachWithCommit();

/** As a job gets it. */
function checkOut(files: Readonly<Record<string, string>>): void {
  at.repository.commit(files);
  for (const file of Object.keys(files)) rmSync(join(at.repository.folder, file));
  at.repository.git("checkout", "--quiet", "HEAD", "--", ".");
}

test.each([
  ["working-tree-encoding", "Pulumi.prod.yaml text working-tree-encoding=UTF-16LE-BOM", plain],
  ["ident", "*.yaml ident", `# $Id$\n${plain}`],
])("%s: the file on the disk is another one, and git sees no change", async (_what, attributes, text) => {
  at.repository.commit({ "Pulumi.prod.yaml": text });
  // Alone: with the attribute, git would not add the other file as it is.
  writeFileSync(join(at.repository.folder, ".gitattributes"), `${attributes}\n`);
  at.repository.git("add", ".gitattributes");
  at.repository.git("commit", "--quiet", "--message", "attributes");
  rmSync(join(at.repository.folder, "Pulumi.prod.yaml"));
  at.repository.git("checkout", "--quiet", "HEAD", "--", ".");
  expect(await uncommitted()).toEqual([]);
  for (const env of [{}, forge])
    await expect(requireAsJudged(env)).rejects.toThrow(
      /^other on disk: Pulumi\.prod\.yaml is not what its commit holds; remove what \.gitattributes .* check it out again$/,
    );
});

test("a filter of somebody's git does not pass either, in any folder", async () => {
  checkOut({ ".gitattributes": "*.json filter=other\n", "infra/policies.json": "{}\n" });
  at.repository.git("config", "filter.other.smudge", "sed s/}/,}/");
  at.repository.git("config", "filter.other.clean", "sed s/,}/}/");
  rmSync(join(at.repository.folder, "infra/policies.json"));
  at.repository.git("checkout", "--quiet", "HEAD", "--", ".");
  process.chdir(join(at.repository.folder, "infra"));
  expect(await uncommitted()).toEqual([]);
  await expect(requireAsJudged({})).rejects.toThrow("other on disk: infra/policies.json");
});

test("what is not on the disk at all is refused", async () => {
  checkOut({ "policies.json": "{}\n" });
  at.repository.git("update-index", "--skip-worktree", "policies.json");
  rmSync(join(at.repository.folder, "policies.json"));
  expect(await uncommitted()).toEqual([]);
  await expect(requireAsJudged({})).rejects.toThrow("other on disk: policies.json");
});

test("files as they were committed pass, with other line ends too, and what guards nothing may differ", async () => {
  checkOut({ "Pulumi.prod.yaml": plain, ".gitattributes": "*.yaml text eol=crlf\n*.txt ident\n", "a.txt": "$Id$\n" });
  await expect(requireAsJudged(forge)).resolves.toBeUndefined();
  expect((await commitOf("HEAD")).tree).toMatch(/^\w{40}$/);
});

test("what somebody edits is not committed, which is said elsewhere; in a forge nobody edits", async () => {
  checkOut({ "Pulumi.prod.yaml": plain });
  mkdirSync(join(at.repository.folder, "infra"));
  writeFileSync(join(at.repository.folder, "infra/Pulumi.yaml"), "name: not added\n");
  writeFileSync(join(at.repository.folder, "Pulumi.prod.yaml"), "config: {}\n");
  await expect(requireAsJudged({})).resolves.toBeUndefined();
  mkdirSync(join(at.repository.folder, "reports"));
  writeFileSync(join(at.repository.folder, "reports/seal-dev.md"), "");
  expect(await uncommitted()).toEqual(["M Pulumi.prod.yaml", "new: infra/Pulumi.yaml"]);
  await expect(requireAsJudged(forge)).rejects.toThrow("other on disk: Pulumi.prod.yaml");
});

/* Beside git: what is installed, and what other jobs wrote. */

let folder: string;
beforeEach(() => {
  folder = ownFolder();
  write("left/index.js", "module.exports = 1;");
  write("left/package.json", '{"version":"1.0.0"}');
});

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function link(path: string, target: string): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  rmSync(join(folder, path), { force: true });
  symlinkSync(target, join(folder, path));
}

test.each<[string, () => void]>([
  ["another content under the same version", () => write("left/index.js", "module.exports = 2;")],
  ["a file more", () => write("left/other.js", "")],
  ["a file less", () => unlinkSync(join(folder, "left/index.js"))],
  ["a program more", () => link(".bin/git", "../left/index.js")],
  ["a link in the place of a file", () => link("left/index.js", "x")],
])("%s moves the digest of the installed files; what npm and tools write for themselves does not", (_what, change) => {
  const before = installedDigest(folder);
  write(".package-lock.json", "{}");
  write(".cache/x", "y");
  expect(installedDigest(folder)).toBe(before);
  change();
  expect(installedDigest(folder)).not.toBe(before);
});

test("what an untrusted job wrote is a plain file of limited size, or refused", () => {
  write("data.json", "{}");
  symlinkSync(join(folder, "data.json"), join(folder, "link.json"));
  write("broken.json", "canary");
  expect(readJsonData(join(folder, "data.json"))).toEqual({});
  expect(() => readData(join(folder, "data.json"), 1)).toThrow(/too large: .* has 2 bytes/);
  expect(() => readData(join(folder, "link.json"))).toThrow("is not a plain file");
  expect(() => readData(join(folder, "left"))).toThrow("is not a plain file");
  expect(() => readData(join(folder, "nothing"))).toThrow(Refused);
  expect(() => readJsonData(join(folder, "broken.json"))).toThrow(/^(?!.*canary).*is not JSON/);
});
