import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readData, readJsonData } from "../../../cli/pipeline/data-file";
import { installedDigest } from "../../../cli/pipeline/installed";
import { Refused } from "../../../cli/pipeline/refused";
import { ownFolder } from "../../harness/folders";

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
])("%s moves the digest of the installed files", (_what, change) => {
  const before = installedDigest(folder);
  change();
  expect(installedDigest(folder)).not.toBe(before);
});

test("what npm and tools write for themselves does not", () => {
  const before = installedDigest(folder);
  write(".package-lock.json", "{}");
  write(".cache/x", "y");
  expect(installedDigest(folder)).toBe(before);
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
