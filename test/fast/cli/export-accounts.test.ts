import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as command from "../../../cli/export";
import { projectFiles } from "../../../cli/export/files";
import { writeFiles } from "../../../cli/export/write";
import { projectName } from "../../../cli/pulumi/project";
import { inside } from "../../harness/command";
import { freshEmulator } from "../../harness/emulators";
import type { Ran } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { envOf, resource } from "./stacks";

const emulator = freshEmulator();
const folder = testFolder();
let runs = 0;

async function exported(...args: readonly string[]): Promise<Ran & { readonly target: string }> {
  const target = join(folder, String(runs++));
  return { ...(await inside(command, [...args, target], envOf(emulator))), target };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("--tokens", () => {
  test("a folder for each account, named by the file or by the account", async () => {
    const both = `${emulator.tokens["admin"]}\r\nThe_Other\t${emulator.tokens["otherAdmin"]}\n# end\n`;
    const ran = await exported("--tokens", file("tokens", both));
    expect([ran.code, ran.stderr]).toEqual([0, ""]);
    expect(readdirSync(join(ran.target, "accounts")).sort()).toEqual(["analytics", "the-other"]);
    expect(ran.stdout).toContain("for account in analytics the-other; do");
    expect(readFileSync(join(ran.target, "index.ts"), "utf8")).toMatch(/require\(`\.\/accounts\/\$\{account\}`\)/);
  });

  test("a token that is refused is named by its line, and nothing is written", async () => {
    const tokens = file("refused", `good ${emulator.tokens["admin"]}\nbad canary-token\n`);
    const ran = await exported("--tokens", tokens);
    expect(ran.stderr).toMatch(/account bad \(line 2 of .*refused\): .*token/);
    expect(ran.stderr).not.toContain("canary-token");
    expect(existsSync(ran.target)).toBe(false);
  });

  test.each([
    ["a name of two words", "token\nThe Other token", /line 2 of \S*x has 3 words; write a token, or a name and/],
    ["an empty file", "\n# nothing\n", /there is no token in \S*x; write one per line/],
    ["a name without a letter", "-- token\n", /line 1 of \S*x: the name needs a letter or a digit/],
  ])("%s is a clear error", async (_, text, says) => {
    expect((await exported("--tokens", file("x", text))).stderr).toMatch(says);
  });

  test("objects must name their account", async () => {
    const tokens = file("two", `${emulator.tokens["admin"]}\nother ${emulator.tokens["otherAdmin"]}\n`);
    const said = async (object: string) => (await exported("--tokens", tokens, "--object", object)).stderr;
    const use = "use ACCOUNT:note/501, where ACCOUNT is one of analytics, other";
    expect(await said("note/501")).toContain(`--object note/501 must name its account; ${use}`);
    expect(await said("oter:note/501")).toContain(`--object note/501 names the account oter; ${use}`);
  });
});

test("--missing leaves out what a state manages", async () => {
  const resources = [
    resource("EnabledUser", "ada", "101", { svcUserId: "101" }),
    resource("Account", "main", "1001", { name: "Analytics" }),
  ];
  const state = JSON.stringify({ version: 3, deployment: { resources } });
  const ran = await exported("--missing", "--state", file("state.json", state));
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  expect(readdirSync(ran.target)).not.toContain("account.ts");
  const users = readFileSync(join(ran.target, "users.ts"), "utf8");
  expect(users).toContain('svcUserId: "102"');
  expect(users).not.toContain('svcUserId: "101"');
});

describe("--known", () => {
  test("all mistakes are told with their places, and no secret is", async () => {
    const entries = ["{ type: DataStor, id: 7 }", "{ type: DataStore, inputs: { dbPasswd: canary } }"];
    const text = [...entries, "{ type: Folder, id: 1, nmae: x }"].map((entry) => `- ${entry}\n`).join("");
    const { code, stderr } = await exported("--known", file("known.yaml", text));
    expect(code).toBe(1);
    expect(stderr).toMatch(/known\.yaml:1:\d+: .*type.*did you mean DataStore/);
    expect(stderr).toMatch(/known\.yaml:2:\d+: id is missing: the import id of the DataStore/);
    expect(stderr).toMatch(/known\.yaml:3:\d+: .*nmae/);
    expect(stderr).not.toContain("canary");
  });

  test.each([
    ["text", "hello", /write a list of entries, each with type, id and inputs/],
    ["an unknown property", "[{ type: Account, inputs: { awsRegoin: x } }]", /known:1:\d+: Account: .*awsRegion/],
    ["an input that is missing", "[{ type: DataStore, id: 7 }]", /known:1:\d+: DataStore: db/],
    ["an unknown account", "[{ type: Account, account: moon }]", /account is "moon"; use one of analytics/],
    ["an id of another form", "[{ type: PackageSet, id: 401 }]", /is not a package set id/],
  ])("%s is a clear error", async (_, text, says) => {
    expect((await exported("--known", file("known", text))).stderr).toMatch(says);
  });

  test("secrets overwrite a file that everybody could read with one that nobody else can", async () => {
    const { target } = await exported("--skip", "users");
    chmodSync(join(target, "import.json"), 0o644);
    const known = file("known", "[{ type: Account, inputs: { storageAccessKey: canary } }]");
    const again = await inside(command, ["--known", known, "--skip", "users", "--force", target], envOf(emulator));
    expect(again.code).toBe(0);
    expect(readFileSync(join(target, "import.json"), "utf8")).toContain("canary");
    expect(statSync(join(target, "import.json")).mode & 0o077).toBe(0);
  });

  test("what the platform shows counts, with a warning", async () => {
    const known = file("known", "[{ type: Account, inputs: { name: Analitics, awsRegion: us-east-1 } }]");
    const ran = await exported("--known", known, "--skip", "users");
    expect(ran.stderr).toMatch(/known:1:\d+: the platform shows another value for name of Account 1001, which is used/);
    const account = readFileSync(join(ran.target, "account.ts"), "utf8");
    expect(account).toMatch(/name: "Analytics"[\s\S]*awsRegion: "us-east-1"/);
    const { resources } = JSON.parse(readFileSync(join(ran.target, "import.json"), "utf8"));
    expect(resources[0].inputs).toMatchObject({ name: "Analytics", awsRegion: "us-east-1" });
  });
});

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

  test("in a project of its own, and beside the code of each account; existing files are refused before", () => {
    const at = place();
    const own = projectFiles("shop", { baseUrl: undefined, extendedApi: false });
    const secrets = [secret, "accounts/second/import.json"];
    const texts = { ...own, ...Object.fromEntries(secrets.map((name) => [name, "canary"])) };
    writeFileSync(join(at, secret), "mine");
    expect(() => writeFiles({ texts, secret: secrets }, at, false)).toThrow(/already contains import\.json/);
    expect(readdirSync(at)).toEqual([secret]);
    writeFiles({ texts, secret: secrets }, at, true);
    expect(ignored(at)).toBe("node_modules/\nimport.json\n");
    expect(ignored(join(at, "accounts/second"))).toBe("import.json\n");
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
