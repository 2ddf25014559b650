import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keyGates, sinceDeployed } from "../../../cli/pipeline/guard";
import { guardedChanges, isApproved, looseningDigest } from "../../../cli/pipeline/guarded";
import { newKeys } from "../../../cli/pipeline/keys";
import { approvalVariable } from "../../../cli/pipeline/place";
import { eachWithCommit } from "./repository";

/* What a change does to rules, workflows, packages and settings, read from both commits in git. */

const rules = (config: object): string => JSON.stringify(config);
const locked = (version: string): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { "": {}, "node_modules/left": { version, integrity } } });
const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
const before = {
  "policies.json": rules({ all: "advisory", "whole-internet": "mandatory" }),
  "package-lock.json": locked("1.0.0"),
  ".npmrc": "ignore-scripts=true\n",
  ".github/workflows/platform.yml": "on: push\n",
  "Pulumi.yaml": "name: platform\nruntime: nodejs\n",
  "Pulumi.prod.yaml": "config:\n  dataplatform:baseUrl: https://platform.example.com\n  platform:office: 203.0.113.7\n",
  "index.ts": "export {};\n",
};

const at = eachWithCommit(before);

async function judged(files: Readonly<Record<string, string | undefined>>) {
  const guarded = await guardedChanges(at.base, at.repository.commit(files), "platform");
  return guarded.flatMap(({ path, changes }) =>
    changes.map(({ words, loosens }) => [`${path}: ${words}`, loosens] as const),
  );
}

describe("rules", () => {
  test.each([
    ["a weaker rule", { "whole-internet": "advisory" }, true],
    ["a stricter one", { "whole-internet": "mandatory", "way-back-in": "mandatory" }, false],
    ["another option", { "whole-internet": { enforcementLevel: "mandatory", minIpv4Prefix: 0 } }, true],
    ["the same in another form", { "whole-internet": { enforcementLevel: "mandatory" } }, false],
    ["a rule that there is not", { "whole-intrenet": "mandatory" }, true],
  ])("%s", async (_what, config, loosens) => {
    const found = await judged({ "policies.json": rules({ all: "advisory", ...config }) });
    expect(found.some(([, loose]) => loose)).toBe(loosens);
  });

  test("an option shows both values, and is not said to be weaker; all rules disabled is not nothing", async () => {
    const weaker = { enforcementLevel: "disabled", minIpv4Prefix: 12 };
    expect(await judged({ "policies.json": rules({ all: "advisory", "whole-internet": weaker }) })).toEqual([
      ["policies.json: whole-internet: mandatory → disabled", true],
      ["policies.json: whole-internet: minIpv4Prefix: not set → 12, which may be stricter or weaker", true],
    ]);
    const found = await judged({ "policies.json": rules({ all: "disabled" }) });
    expect(found.length).toBeGreaterThan(10);
    expect(found.every(([, loosens]) => loosens)).toBe(true);
  });

  test("no file any more, and one that is not JSON", async () => {
    const weaker = ["policies.json: whole-internet: mandatory → advisory", true];
    expect(await judged({ "policies.json": undefined })).toContainEqual(weaker);
    expect(await judged({ "policies.json": "{" })).toEqual([
      ["policies.json: not verifiable: policies.json cannot be read: it is not JSON", true],
    ]);
  });
});

test("packages: guarded-lock.test.ts has what needs approval in the lockfile; what it shows, package.json need not", async () => {
  const newer = ["package-lock.json: left 1.0.0 → 1.1.0", false];
  expect(await judged({ "package-lock.json": locked("1.1.0") })).toEqual([newer]);
  const unread = expect.stringMatching(/^package-lock\.json: it cannot be read/);
  expect(await judged({ "package-lock.json": "[]" })).toEqual([[unread, true]]);
  at.base = at.repository.commit({ "package.json": '{"name": "platform", "dependencies": {"left": "1.0.0"}}' });
  expect(await judged({ "package.json": '{"name": "p", "dependencies": {"left": "1.1.0"}}' })).toEqual([
    ["package.json: `name` changes", false],
    ["package.json: `dependencies` changes", false],
  ]);
  const bin = '{"name": "platform", "bin": {"dataplatform": "x.js"}, "dependencies": {"left": "1.0.0"}}';
  expect(await judged({ "package.json": bin })).toContainEqual(["package.json: `bin` is added", true]);
});

describe("settings", () => {
  const stack = (text: string) => ({ "Pulumi.prod.yaml": `config:\n${text}` });

  test("of a project that is named like the provider, no setting of the provider is its own", async () => {
    const text = "  baseUrl: https://evil.example.com\n  dataplatform:config:retries: 1\n";
    const [one] = await guardedChanges(at.base, at.repository.commit(stack(text)), "dataplatform");
    const loosening = one!.changes.filter(({ loosens }) => loosens).map(({ words }) => words);
    expect(loosening).toContainEqual(expect.stringContaining("`baseUrl` changes from not set"));
    expect(loosening).toContainEqual(expect.stringContaining("`dataplatform:config:retries` changes"));
  });

  test("the program's own are what pull requests change; the platform's address is not, and both are shown", async () => {
    const text = "  dataplatform:baseUrl: https://evil.example.com\n  platform:office: 192.0.2.1\n";
    const words = `changes from "https://platform.example.com" to "https://evil.example.com"`;
    expect((await judged(stack(text))).sort()).toEqual([
      [`Pulumi.prod.yaml: \`dataplatform:baseUrl\` ${words}`, true],
      ["Pulumi.prod.yaml: `platform:office` changes", false],
    ]);
  });

  test("what only the change loosens is not said of the protected branch, whose file changed too", async () => {
    const elsewhere = "  dataplatform:baseUrl: https://evil.example.com\n  platform:office: 192.0.2.1\n";
    const merged = at.repository.commit({
      "Pulumi.prod.yaml": before["Pulumi.prod.yaml"].replace("203.0.113.7", "192.0.2.1"),
    });
    const loosened = at.repository.commit(stack(elsewhere));
    const later = at.repository.commit({ "index.ts": "export default {};\n" });
    const since = async (base: string, head: string) => {
      const request = { base, head, stack: "prod", exported: {}, keys: undefined };
      const own = await guardedChanges(base, head, "platform");
      return (await sinceDeployed(request, at.base, "platform", own)).loosened.map(({ path }) => path);
    };
    expect(await since(merged, loosened)).toEqual([]);
    expect(await since(loosened, later), "merged against the refusal").toEqual(["Pulumi.prod.yaml"]);
  });

  test("where no record of the backend is proven, all that guards the platform less than nothing does is looser", async () => {
    const base = at.repository.commit({ "policies.json": rules({ all: "disabled" }) });
    const since = (resources: { urn: string }[], tree?: string, keys: string | undefined = "key") => {
      const exported = { deployment: { resources } };
      return sinceDeployed({ base, head: base, stack: "prod", exported, keys }, tree, "platform", []);
    };
    const some = [{ urn: "urn:office" }];
    const words = "nothing earlier, as none of the last updates of prod has a signature that counts";
    const { loosened, ...unproven } = await since(some);
    expect(unproven).toEqual({ isKnown: false, words });
    expect(loosened.flatMap(({ changes }) => changes.map((one) => one.words))).toContain(
      "whole-internet: advisory → disabled",
    );
    const gone = await since(some, "0".repeat(40));
    expect(gone).toMatchObject({ loosened, words: expect.stringMatching(/tree 0{12} .* is not in this clone$/) });
    const first = { loosened: [], isKnown: false, words: "nothing earlier, as this pipeline has not deployed prod" };
    expect(await since([])).toEqual(first);
  });

  test("what main did to a file is told from what the change does to it", async () => {
    const loose = { "way-back-in": { addresses: [] }, "whole-internet": "mandatory" };
    const base = at.repository.commit({ "policies.json": rules(loose) });
    const head = at.repository.commit({ "policies.json": rules({ ...loose, "whole-internet": "advisory" }) });
    const own = await guardedChanges(base, head, "platform");
    const request = { base, head, stack: "prod", exported: {}, keys: undefined };
    const { loosened, merged } = await sinceDeployed(request, at.base, "platform", own);
    const words = [loosened, merged!].map((files) => files.flatMap(({ changes }) => changes.map((one) => one.words)));
    expect(words.map((some) => some.map((text) => text.split(":")[0]))).toEqual([
      ["whole-internet", "way-back-in"],
      ["way-back-in"],
    ]);
  });

  test.each([
    ["encryption", { "Pulumi.prod.yaml": `encryptionsalt: v1:x\n${before["Pulumi.prod.yaml"]}` }],
    ["the runtime", { "Pulumi.yaml": "name: platform\nruntime: {name: nodejs, options: {nodeargs: -r ./x}}\n" }],
    ["a plugin", { "Pulumi.yaml": `${before["Pulumi.yaml"]}plugins: {providers: [{name: x, path: .}]}\n` }],
    ["a new stack", { "Pulumi.qa.yaml": before["Pulumi.prod.yaml"] }],
    ["what cannot be read", { "Pulumi.yaml": "name: [\n" }],
  ])("%s needs approval", async (_what, files) => {
    expect((await judged(files)).some(([, loosens]) => loosens)).toBe(true);
  });
});

test.each([
  ...[".npmrc", "sub/.npmrc", "requirements.txt", "infra/go.sum", "poetry.lock", "node_modules/yaml/index.js"],
  ...[".github/workflows/platform.yml", ".github/workflows/evil.yml", ".github/actions/setup/action.yml"],
  ...[".gitlab-ci.yml", "CODEOWNERS", "dataplatform.pub", "infra/dataplatform.pub"],
  ...[".gitattributes", "infra/.gitattributes", ".gitmodules", ".lfsconfig"],
  ...["pulumi-dataplatform-0.2.0-dev.tgz", "vendor/left.tar.gz", "PULUMI.YAML"],
  ...["preview", "infra/snapshot", "plans/a.json", "Reports", "plans.env"],
])("any change of %s needs approval", async (path) => {
  expect(await judged({ [path]: "anything\n" })).toEqual([[expect.stringContaining(path), true]]);
});

test("so does a profile of the platform, which decides what requests do, under whatever name", async () => {
  const request = { "PUT /api/v1.2/groups/{groupId}/roles/{role}/assign": "lacking" };
  const profile = { "docs/anything.txt": `  ${JSON.stringify({ requests: request })}` };
  const why = [expect.stringContaining("says in which form requests are sent"), true];
  expect(await judged(profile)).toEqual([why]);
  at.base = at.repository.commit(profile);
  expect(await judged({ "docs/anything.txt": "{}" })).toEqual([why]);
  expect(await judged({ "docs/other.json": '{"requests": {}}', "docs/anything.txt": undefined })).toEqual([why]);
  const escaped = profile["docs/anything.txt"].replace("requests", "\\u0072equest\\u0073");
  expect(await judged({ "src/é\n.txt": escaped, "docs/other.json": undefined })).toEqual([why, why]);
  symlinkSync(profile["docs/anything.txt"].trim().replaceAll("/", "\\u002f"), join(at.repository.folder, "link"));
  expect(await judged({})).toContainEqual([expect.stringContaining("link: is a link"), true]);
});

test("many files are searched for one with as few calls of git as one file", async () => {
  let calls = 0;
  const count = (): void => void calls++;
  const head = at.repository.commit(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`src/${n}.json`, "{}"])));
  subscribe("child_process", count);
  expect(await guardedChanges(at.base, head, "platform")).toEqual([]);
  unsubscribe("child_process", count);
  expect(calls).toBe(2);
});

test("a link in the place of a file does, too, and another commit of a submodule, wherever it is", async () => {
  const { repository } = at;
  repository.commit({ "policies.json": undefined });
  symlinkSync("other.json", join(repository.folder, "policies.json"));
  const words = "is a link, a program or a submodule now, or was one";
  expect(await judged({})).toEqual([[`policies.json: ${words}`, true]]);
  repository.git("update-index", "--add", "--cacheinfo", `160000,${at.base},lib`);
  repository.git("commit", "--quiet", "--message", "a submodule");
  const found = await guardedChanges(at.base, repository.git("rev-parse", "HEAD"), "platform");
  expect(found).toContainEqual(expect.objectContaining({ path: "lib", changes: [{ words, loosens: true }] }));
});

test("an approval is for exactly these contents", async () => {
  const digestOf = async (files: Parameters<typeof at.repository.commit>[0]) =>
    looseningDigest(await guardedChanges(at.base, at.repository.commit(files), "platform"));
  const digest = (await digestOf({ ".npmrc": "one\n", "index.ts": "1;\n" }))!;
  expect(digest).toMatch(/^[0-9a-f]{32}$/);
  expect(await digestOf({ ".npmrc": "two\n" })).not.toBe(digest);
  // What guards nothing does not count.
  expect(await digestOf({ ".npmrc": "one\n", "index.ts": "2;\n" })).toBe(digest);
  expect(isApproved(digest, { [approvalVariable]: `other, ${digest}` })).toBe(true);
  expect(isApproved(digest, { [approvalVariable]: digest.slice(0, 12) })).toBe(false);
  expect(isApproved(digest, {})).toBe(false);
  expect(await digestOf(before)).toBeUndefined();
});

test("a signing key that somebody has committed, in any file, is refused", async () => {
  expect(await keyGates(at.base)).toEqual([]);
  const { signing, verify } = newKeys();
  const pem = `-----BEGIN PRIVATE KEY-----\n${signing}\n-----END PRIVATE KEY-----\n`;
  const head = at.repository.commit({ "signing.key": signing, "docs/old.pem": pem, "my.pub": verify });
  expect(await keyGates(head)).toEqual([
    expect.stringMatching(/^signing key: docs\/old\.pem has one,/),
    expect.stringMatching(/^signing key: signing\.key has one,/),
  ]);
  await expect(keyGates("0".repeat(40))).rejects.toThrow("failed: ");
});
