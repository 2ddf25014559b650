import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../harness/engine";

const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** The rows of the tables that name a file and functions in it. */
const steps = [...page.matchAll(/^\| `([\w./-]+\.ts)` \| ((?:`\w+`(?:, )?)+) \|/gm)].map(
  ([, file = "", names = ""]): [file: string, names: string[]] => [
    file,
    [...names.matchAll(/\w+/g)].map(([name]) => name),
  ],
);

describe("ARCHITECTURE.md names what is there", () => {
  test("every file and folder that it names exists", () => {
    const folders = /^(provider|sdk|emulator|cli|policies|tools|test|docs|examples)\//;
    const paths = [...page.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path).filter((path) => folders.test(path));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("the flows go from the program to the API", () => {
    const files = steps.map(([file]) => file);
    for (const part of ["sdk/runtime.ts", "provider/dynamic.ts", "provider/plugin/server.ts"])
      expect(files).toContain(part);
    expect(files).toContain("provider/api/client.ts");
  });

  test.each(steps)("%s has %s", (file, names) => {
    const code = readFileSync(join(root, file), "utf8");
    const isDefined = (name: string) =>
      new RegExp(`\\b${name}(<[^(]*>)?(\\(|: (?:v2\\.)?(?:get|post|put|remove)\\()|\\bconst ${name} =`).test(code);
    expect(names.filter((name) => !isDefined(name))).toEqual([]);
  });
});
