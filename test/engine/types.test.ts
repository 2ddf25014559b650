import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resources } from "../../provider/resources";
import { root } from "../harness/engine";

test("valid arguments compile and invalid ones do not, against the package's declarations", () => {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const compile = () =>
    execFileSync(process.execPath, [compiler, "-p", join(root, "test/engine/types")], {
      encoding: "utf8",
      stdio: "pipe",
    });
  expect(compile).not.toThrow();
});

test("every resource has arguments that must not compile", () => {
  const text = readFileSync(join(root, "test/engine/types/wrong-arguments.ts"), "utf8");
  for (const { type } of resources)
    expect(text).toMatch(new RegExp(`// @ts-expect-error .*\\nnew dataplatform\\.${type}\\(`));
});
