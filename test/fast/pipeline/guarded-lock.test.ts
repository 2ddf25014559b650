import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { lockChanges } from "../../../cli/pipeline/guarded-lock";

/* npm tidies up what it reads in a lockfile. What it would change might be another package than the one that was judged. */

const checksum = (text: string): string => `sha512-${createHash("sha512").update(text).digest("base64")}`;
const registry = "registry.example.com";
const addressOf = (name: string, version = "1.1.0") =>
  `https://${registry}/${name}/-/${name.slice(name.lastIndexOf("/") + 1)}-${version}.tgz`;
const entry = (name: string, version = "1.0.0", more: object = {}) => ({
  ...{ version, resolved: addressOf(name, version), integrity: checksum(name + version) },
  ...more,
});
type Entries = Readonly<Record<string, object | undefined>>;
const lock = (packages: Entries, more: object = {}): string =>
  JSON.stringify({ lockfileVersion: 3, packages: { "": { name: "platform" }, ...packages }, ...more });

/** The gate, what it loads itself and through Pulumi, and a package of the program. */
const installed: Entries = {
  "node_modules/pulumi-dataplatform": entry("pulumi-dataplatform", "0.2.0", {
    dependencies: { zod: "^4" },
    peerDependencies: { "@pulumi/pulumi": "^3" },
    optionalDependencies: { fsevents: "^2" },
    bin: { dataplatform: "dist/cli/main.js" },
  }),
  "node_modules/zod": entry("zod", "4.0.0"),
  "node_modules/fsevents": entry("fsevents", "2.0.0"),
  "node_modules/@pulumi/pulumi": entry("@pulumi/pulumi", "3.1.0", {
    dependencies: { "google-protobuf": "^3" },
    peerDependencies: { typescript: "*" },
  }),
  "node_modules/google-protobuf": entry("google-protobuf", "3.0.0"),
  "node_modules/typescript": entry("typescript", "5.0.0", { bin: { tsc: "bin/tsc" } }),
  "node_modules/left": entry("left"),
};
const judged = (changed: Entries, more: object = {}): [words: string, loosens: boolean][] =>
  lockChanges(lock(installed), lock({ ...installed, ...changed }, more)).map(({ words, loosens }) => [words, loosens]);
const left = (more: object, name = "left") => judged({ "node_modules/left": entry(name, "1.1.0", more) });

describe("a path that npm would read as another one", () => {
  test.each([
    ...["node_modules/x/../pulumi-dataplatform", "node_modules//zod", "node_modules/./zod", "node_modules/zod/"],
    ...["./node_modules/zod", "../node_modules/zod", "/node_modules/zod", "node_modules\\zod", "NODE_MODULES/zod"],
    ...["node_modules/node_modules/zod", "node_modules/left/Node_Modules/zod", "node_modules"],
    ...["node_modules/left/lib/node_modules/zod", "node_modules/@x", "node_modules/%7aod"],
    "packages/../node_modules/zod",
  ])("%s: the lockfile cannot be read", (path) => {
    const evil = entry("zod", "4.0.0", { integrity: checksum("evil") });
    for (const kept of [installed["node_modules/zod"], undefined]) {
      const found = judged({ "node_modules/zod": kept, [path]: evil });
      expect(found).toEqual([[expect.stringMatching(/^it cannot be read: .* is not the plain path/), true]]);
    }
  });

  test("nor can it with one that differs in capital letters only, twice the same, or of another version of npm", () => {
    expect(judged({ "node_modules/Zod": entry("zod") })).toEqual([[expect.stringContaining("capital letters"), true]]);
    const twice = lock(installed).replace('"node_modules/left"', '"node_modules/zod":{},"node_modules/left"');
    const words = "it cannot be read: a name is there twice";
    expect(lockChanges(lock(installed), twice)).toEqual([{ words, loosens: true }]);
    for (const lockfileVersion of [1, "3", 4, null]) expect(judged({}, { lockfileVersion })[0]![1]).toBe(true);
    for (const odd of [[], "x", { version: 1 }, { resolved: {} }, { dependencies: [] }])
      expect(judged({ "node_modules/left": odd as object })[0]).toEqual([expect.stringContaining("cannot be"), true]);
  });

  test("a folder of the repository, and a link to it, need approval when they change, and only then", () => {
    const folders = { "packages/x": { version: "1.0.0" }, "node_modules/x": { resolved: "packages/x", link: true } };
    expect(judged(folders).map(([, loosens]) => loosens)).toEqual([true, true]);
    const more = { ...installed, ...folders, "node_modules/left": entry("left", "1.1.0") };
    const found = lockChanges(lock({ ...installed, ...folders }), lock(more));
    expect(found).toEqual([{ words: "left 1.0.0 → 1.1.0", loosens: false }]);
  });
});

describe("programs", () => {
  test.each([
    ["a plain name", { bin: { dataplatform: "x.js" } }, "it brings a program named dataplatform"],
    ["the name of a tool", { bin: { git: "git.js" } }, "it brings a program named git"],
    ["a path", { bin: { "a/dataplatform": "x.js" } }, "not in the form"],
    ["a path of Windows", { bin: { "a\\dataplatform": "x.js" } }, "not in the form"],
    ["a colon", { bin: { "a:dataplatform": "x.js" } }, "not in the form"],
    ["a list", { bin: ["x.js", "./dataplatform"] }, "not in the form"],
    ["a file elsewhere", { bin: { left: "../zod/x.js" } }, "not in the form"],
    ["no file", { bin: { left: {} } }, "not in the form"],
    ["another package's name", { name: "dataplatform", bin: "x.js" }, "it brings a program named dataplatform"],
    ["that, with a scope", { name: "@a/dataplatform", bin: "x.js" }, "it brings a program named dataplatform"],
    ["that, with a colon", { name: "a:dataplatform", bin: "x.js" }, "not in the form"],
    ["a folder", { directories: { bin: "bin" } }, "it has what npm does not write (directories)"],
  ])("named by %s", (_what, more, why) => {
    expect(left(more)).toEqual([[expect.stringContaining(why), true]]);
  });

  test("in npm's own form are free", () => {
    for (const bin of [{ left: "./bin/left.js", "left-2": "cli.mjs" }, "bin/left"])
      expect(left({ bin })).toEqual([["left 1.0.0 → 1.1.0", false]]);
  });
});

test.each([
  ["without a checksum", { integrity: undefined }, "without a checksum"],
  ["with SHA-1", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, "without a checksum"],
  ["with a checksum that npm does not know", { integrity: "x-abc" }, "without a checksum"],
  ["with one that is too short", { integrity: "sha512-AAAA" }, "without a checksum"],
  ["with two, of which either will do", { integrity: `${checksum("a")} ${checksum("b")}` }, "without a checksum"],
  ["with one with options", { integrity: `${checksum("a")}?x` }, "without a checksum"],
  ["with another address beside its own", { _resolved: "https://evil.example.com/x.tgz" }, "(_resolved)"],
  ["with a lockfile of its own", { hasShrinkwrap: true }, "a lockfile of its own"],
  ["with scripts", { hasInstallScript: true }, "install scripts"],
  ["from elsewhere", { resolved: "https://evil.example.com/x.tgz" }, "from evil.example.com"],
  ["in capitals", { resolved: `HTTPS://${registry}/evil/-/evil-1.1.0.tgz` }, "its address names another package"],
  ["of somebody's scope", { resolved: addressOf("@evil/left") }, `from ${registry}/@evil, where`],
  ["of another registry", { resolved: addressOf("evil/left/x/left") }, "com/evil/left/x, where no package"],
  ["that is another one", { name: "right", resolved: addressOf("right") }, "it is right, under another"],
  ["from git on the registry's host", { resolved: `git+https://${registry}/x.git#1` }, "from git+https:"],
  ["with an address that is none", { resolved: `https://${registry}/left/-/left-%zz.tgz` }, "its address"],
])("a package %s needs approval", (_what, more, why) => {
  expect(left(more)).toEqual([[expect.stringContaining(why), true]]);
});

test("a package with other contents under its version needs approval; so does one whose own name changes, which is shown", () => {
  const other = entry("left", "1.0.0", { integrity: checksum("other") });
  const why = expect.stringContaining("other contents, same version");
  expect(judged({ "node_modules/left": other })).toEqual([[why, true]]);
  const right = (version: string) => ({ "node_modules/left": entry("right", version, { name: "right" }) });
  const before = lock({ ...installed, ...right("1.0.0") });
  const changed = lock({ ...installed, ...right("1.1.0") });
  expect(lockChanges(before, changed)).toEqual([{ words: "left (right) 1.0.0 → 1.1.0", loosens: false }]);
  const words = expect.stringContaining("it is left");
  expect(lockChanges(before, lock(installed))).toEqual([{ words, loosens: true }]);
});

describe("what the gate loads", () => {
  const runs = expect.stringContaining("it runs the pipeline");
  const loaded = ["zod", "fsevents", "@pulumi/pulumi", "google-protobuf", "typescript", "pulumi-dataplatform"];

  test.each(loaded)("%s: another version, and none any more, need approval", (name) => {
    const path = `node_modules/${name}`;
    const more = { ...installed[path], version: "9.0.0", resolved: addressOf(name, "9.0.0") };
    expect(judged({ [path]: more })).toEqual([[runs, true]]);
    expect(judged({ [path]: undefined })).toEqual([[expect.stringContaining("it is removed"), true]]);
  });

  test("so does whatever is put into its folder, and no lockfile at all", () => {
    expect(judged({ "node_modules/google-protobuf/node_modules/left": entry("left") })).toEqual([[runs, true]]);
    expect(lockChanges(lock(installed), undefined).filter(({ loosens }) => loosens)).toHaveLength(6);
  });

  test("other packages come and go freely", () => {
    expect(judged({ "node_modules/left": undefined, "node_modules/right": entry("right") })).toEqual([
      ["left 1.0.0 → (none)", false],
      ["right (none) → 1.0.0", false],
    ]);
    const own = { "node_modules/left/node_modules/zod": entry("zod", "3.0.0"), "node_modules/@a/b": entry("@a/b") };
    expect(judged(own)).toEqual([
      ["@a/b (none) → 1.0.0", false],
      ["zod in left (none) → 3.0.0", false],
    ]);
  });

  test("a gate that is a link loads what its folder does", () => {
    const linked = {
      ...installed,
      "node_modules/pulumi-dataplatform": { resolved: "gate", link: true },
      gate: { version: "0.2.0", dependencies: { left: "1" } },
    };
    const changed = { ...linked, "node_modules/left": entry("left", "1.1.0") };
    expect(lockChanges(lock(linked), lock(changed))).toEqual([{ words: runs, loosens: true }]);
  });
});
