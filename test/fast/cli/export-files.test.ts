import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectFiles } from "../../../cli/export/project";
import { writeFiles } from "../../../cli/export/write";
import { projectName } from "../../../cli/pulumi/project";
import { testFolder } from "../../harness/folders";

const folder = testFolder();
let count = 0;
const place = () => {
  const made = join(folder, `files-${count++}`);
  mkdirSync(made);
  return made;
};

describe("a file with secrets is kept from Git", () => {
  const secret = "import.json";
  const files = { texts: { "index.ts": "", [secret]: "canary" }, secret: [secret] };
  const ignored = (at: string) => readFileSync(join(at, ".gitignore"), "utf8");

  test.each([
    ["that has none", undefined, "import.json\n"],
    ["that has one", "node_modules/\n", "node_modules/\nimport.json\n"],
    ["that has one without an end of line", "dist", "dist\nimport.json\n"],
    ["that takes it in again", "import.json\n!*.json\n", "import.json\n!*.json\nimport.json\n"],
    ["that has the line", "node_modules/\nimport.json\n", "node_modules/\nimport.json\n"],
  ])("by the .gitignore of a folder %s", (_, before, after) => {
    const at = place();
    if (before !== undefined) writeFileSync(join(at, ".gitignore"), before);
    writeFiles(files, at, false);
    expect(ignored(at)).toBe(after);
    expect(statSync(join(at, secret)).mode & 0o077).toBe(0);
  });

  test("in a project of its own, and beside the code of each account", () => {
    const at = place();
    const own = projectFiles("shop", { baseUrl: undefined, extendedApi: false });
    const [one, two] = ["import.json", "accounts/second/import.json"];
    writeFiles({ texts: { ...own, [one!]: "canary", [two!]: "canary" }, secret: [one!, two!] }, at, false);
    expect(ignored(at)).toBe("node_modules/\nimport.json\n");
    expect(ignored(join(at, "accounts/second"))).toBe("import.json\n");
  });

  test("without secrets, no .gitignore is written or changed", () => {
    const at = place();
    writeFiles({ ...files, secret: [] }, at, false);
    expect(existsSync(join(at, ".gitignore"))).toBe(false);
  });

  test("existing files are refused before anything is written", () => {
    const at = place();
    writeFileSync(join(at, "import.json"), "mine");
    expect(() => writeFiles(files, at, false)).toThrow(/already contains import\.json/);
    expect(existsSync(join(at, ".gitignore"))).toBe(false);
  });
});

test.each(["2024", "1e3", "0x1f", "true", "null", "no", ".5", "1_000", "-"])(
  "--name %s is a text in Pulumi.yaml",
  (name) => {
    const at = place();
    const texts = projectFiles(name, { baseUrl: "https://api.example.com", extendedApi: true });
    writeFileSync(join(at, "Pulumi.yaml"), texts["Pulumi.yaml"]!);
    expect(projectName(at)).toBe(name);
    expect(parse(texts["Pulumi.yaml"]!, { version: "1.1" })).toMatchObject({ name });
  },
);
