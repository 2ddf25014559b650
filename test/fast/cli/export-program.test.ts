import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import * as command from "../../../cli/export";
import { plan } from "../../../cli/export/declare";
import { kindFiles } from "../../../cli/export/kind-files";
import { programText, remarksText } from "../../../cli/export/program";
import type { Environment } from "../../../cli/export/read";
import { source } from "../../../cli/export/source";
import { Names, slug } from "../../../cli/pulumi/names";
import { resources as definitions } from "../../../provider/resources";
import { inside } from "../../harness/command";
import { freshEmulator, ownEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { testFolder } from "../../harness/folders";
import { request } from "../../harness/http";
import { envOf } from "./stacks";

const emulator = freshEmulator();
const folder = testFolder();
let runs = 0;

const exported = (token: string, ...args: readonly string[]) => exportedWith(envOf(emulator, token), ...args);

/** What it printed, and all files of the program. */
async function exportedWith(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const target = join(folder, String(runs++));
  const ran = await inside(command, [...args, target], env);
  const files = existsSync(target) ? readdirSync(target).filter((name) => name.endsWith(".ts")) : [];
  const program = files.map((name) => readFileSync(join(target, name), "utf8")).join("\n");
  return { ...ran, folder: target, program };
}

describe("dataplatform export", () => {
  test("writes the files, without secrets, and prints the next steps", async () => {
    const ran = await exported("admin", "--object", "note/501");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^8 resources written to [^\n]*\. Next:[\s\S]*pulumi import --file import\.json/);
    const files = readdirSync(ran.folder).sort();
    expect(files).toEqual([
      ...[".gitignore", "Pulumi.yaml", "account.ts", "import.json", "index.ts", "package.json", "policies.ts"],
      ...["tsconfig.json", "users.ts"],
    ]);
    const all = files.map((name) => readFileSync(join(ran.folder, name), "utf8")).join("\n");
    const { accounts } = emulator.state({ secrets: true });
    for (const { token } of accounts.flatMap(({ users }) => users)) expect(all).not.toContain(token);
    expect(all).not.toMatch(/-(storage|compute)-(access|secret)/);
    expect(readFileSync(join(ran.folder, "Pulumi.yaml"), "utf8")).toMatch(/^name: "analytics"\n/);
    // The package comes from where it runs, and the import has all that was read of the account.
    expect(ran.stdout).toContain(`\n  npm pack --ignore-scripts ${resolve(root)} `);
    expect(ran.stdout).toContain("\n  npm install\n");
    const read = (name: string) => JSON.parse(readFileSync(join(ran.folder, name), "utf8"));
    expect(read("package.json").dependencies["pulumi-dataplatform"]).toMatch(/^file:pulumi-dataplatform-\d\S+\.tgz$/);
    const inputs = { name: "Analytics", defloc: "s3://analytics-logs/default", idleSessionTimeout: 1440 };
    expect(read("import.json").resources[0]).toMatchObject({ type: "dataplatform:index:Account", inputs });
  });

  test("parts that the token may not read are reported on stderr and in the program", async () => {
    const ran = await exported("user");
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/warning: skipped the pending users: .*403/);
    expect(ran.program).toMatch(/token may not read these parts[\s\S]*- the Hive tables: .*viewing Hive tables/);
    expect(ran.program).toContain('new dataplatform.EnabledUser("user-admin"');
  });

  test("a token that may read nothing is an error, not a program without resources", async () => {
    const ran = await exported("powerless");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('nothing was exported: there is nothing but what was skipped; "dataplatform doctor"');
  });

  test("what cannot be declared becomes a comment, with the reason or a template", async () => {
    const { program } = await exported("admin", "--object", "note/502", "--object", "environment/401");
    for (const remark of [
      "user 107 disabled@analytics.example.com is disabled",
      "user 108 pending1@analytics.example.com awaits approval",
      "note/502 has no policy",
      "the policy of environment/401 can be viewed but not set",
      "default.daily_ticks (symbol string, price double, dt string)",
    ])
      expect(program).toContain(`// - ${remark}`);
    for (const type of ["DataStore", "GroupRoleAssignment", "FolderPolicy", "PackageSet", "Folder"])
      expect(program).toMatch(RegExp(`// +new dataplatform\\.${type}\\([^]*pulumi import dataplatform:index:${type} `));
  });

  test("existing files are kept without --force", async () => {
    const first = await exported("admin");
    writeFileSync(join(first.folder, "index.ts"), "mine");
    emulator.clearRequests();
    const refused = await inside(command, [first.folder], envOf(emulator));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/already contains index\.ts, .*--force/) });
    expect(emulator.requests().total).toBe(0);
    const index = () => readFileSync(join(first.folder, "index.ts"), "utf8");
    expect(index()).toBe("mine");
    expect((await inside(command, ["--force", first.folder], envOf(emulator))).code).toBe(0);
    expect(index()).toContain("account(adopted);");
  });

  test("a missing object or an invalid token writes nothing", async () => {
    const missing = await exported("admin", "--object", "note/999");
    expect(missing).toMatchObject({ code: 1, program: "", stderr: expect.stringMatching(/getObjectPolicy.*404/) });
    const refused = await exported("no-such-token");
    expect(refused).toMatchObject({ code: 1, program: "" });
    expect(refused.stderr).toMatch(/^(?!.*no-such-token).*rejected the token/s);
  });
});

describe("the program", () => {
  const empty: Environment = { objects: [], refused: [] };
  const planOf = (environment: Partial<Environment>) => plan({ ...empty, ...environment }, new Names());
  const textsOf = (environment: Partial<Environment>): Record<string, string> => {
    const { declarations, notes } = planOf(environment);
    const kinds = kindFiles(declarations);
    const remarks = remarksText({ ...empty, ...environment }, notes, true);
    const index = programText("The state of https://api.example.com", kinds, remarks);
    return { index, ...Object.fromEntries(kinds.map(({ file, text }) => [file, text])) };
  };
  const kindsOf = (text: string): string[] => {
    const parsed = ts.createSourceFile("index.ts", text, ts.ScriptTarget.ES2022);
    expect(parsed).toMatchObject({ parseDiagnostics: [] });
    const inside = (one: ts.Statement) => (ts.isFunctionDeclaration(one) ? one.body!.statements : []);
    return parsed.statements.flatMap((one) => [one, ...inside(one)]).map(({ kind }) => ts.SyntaxKind[kind]!);
  };

  test("has a file for every type, also for one that no file is named for", () => {
    const types = [...definitions.map(({ type }) => type), "Unheard"];
    const files = kindFiles(types.map((type) => ({ type, name: "it", inputs: {}, id: "1" })));
    const holding = (type: string) => files.filter(({ text }) => text.includes(`.${type}("it"`));
    for (const type of types) expect(holding(type), type).toHaveLength(1);
    expect(files.at(-1)).toMatchObject({ file: "others", text: expect.stringContaining("Unheard") });
  });

  test("is valid TypeScript for any names on the platform, and executes none of them", () => {
    const evil = '"); throw new Error("*/\n\u2028process.exit(1) //';
    const policy = [{ access: "allow", action: [evil], [evil]: evil }];
    const { index, ...files } = textsOf({
      account: { id: 1, name: evil, storageLocation: evil },
      whitelist: [{ id: 1, ipCidr: "192.0.2.1" }],
      users: [
        { id: 1, email: evil },
        { id: 2, email: evil, disabled: true },
      ],
      tables: [{ name: evil, columns: [{ name: evil, type: evil }] }],
      objects: [{ sourceType: "note", sourceId: "1", policy }],
      refused: [{ what: evil, why: evil }],
    });
    const [imports, calls] = [Array(3).fill("ImportDeclaration"), Array(3).fill("ExpressionStatement")];
    expect(kindsOf(index!)).toEqual([...imports, "FirstStatement", ...calls]);
    expect(Object.keys(files)).toEqual(["account", "addresses", "users"]);
    for (const text of Object.values(files))
      expect(kindsOf(text)).toEqual([imports[0], imports[1], "FunctionDeclaration", calls[0]]);
  });

  test("what the provider would reject becomes a note", () => {
    const { declarations, notes } = planOf({
      whitelist: [{ id: 9, ipCidr: "10.0.0.1/33" }],
      objects: [{ sourceType: "note", sourceId: "1", policy: [{ access: "allow", action: ["dance"] }] }],
    });
    expect(declarations).toEqual([]);
    expect(notes[0]).toMatch(/WhitelistedIp 9 is not declared: ipCidr .*outside 0 to 32/);
    expect(notes[1]).toMatch(/ObjectPolicy note\/1 is not declared: policy\[0\]\.action\[0\] is "dance"/);
  });

  test("names are unique, values formatted readably", () => {
    const users = [1, 2, 3].map((id) => ({ id, email: `ana@${id}.example.com` }));
    expect(planOf({ users }).declarations.map(({ name }) => name)).toEqual(["user-ana", "user-ana-2", "user-ana-3"]);
    expect(["Ärzte & Co.", "2001:db8::10/64", "日本"].map(slug)).toEqual(["arzte-co", "2001-db8-10-64", ""]);
    expect(source({ a: [1, "x"], "b-c": {}, d: null })).toBe('{ a: [1, "x"], "b-c": {}, d: null }');
    const long = { key: "k".repeat(60), list: ["l".repeat(60)] };
    expect(source(long)).toBe(`{\n  key: "${long.key}",\n  list: ["${long.list[0]}"],\n}`);
  });
});

describe("with the extended API", () => {
  const store = { db_type: "mysql", db_host: "sales.example.com", db_name: "sales", db_user: "reader" };
  const gateway = { gateway_ip: "10.0.0.9", gateway_username: "jump", gateway_private_key: "canary-key" };

  async function exportedFrom(extended: boolean | string[], ...args: readonly string[]) {
    const platform = await ownEmulator({ extended, readings: { dataStoreViewGateway: "shown" } });
    if (extended === true) await request(platform, "PUT", "/api/v1.2/groups/205/svc_users/101/add", {});
    await request(platform, "POST", "/api/v1.2/db_taps/", { ...store, db_passwd: "canary-password" });
    await request(platform, "POST", "/api/v1.2/db_taps/", { ...store, db_location: "on-premise", ...gateway });
    return exportedWith({ ...envOf(platform), DATAPLATFORM_EXTENDED_API: "true" }, ...args);
  }

  test("groups, roles and data stores are declared, with secrets from the configuration", async () => {
    const ran = await exportedFrom(true, "--object", "environment/401");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.program).toContain('import * as pulumi from "@pulumi/pulumi";');
    expect(ran.program).toMatch(/new dataplatform\.Group\("group-analysts", \{[^}]*roles: \["analyst"\]/);
    expect(ran.program).toMatch(/Group\("group-operators", \{[^}]*members: \[[^\]]*"admin@analytics\.example\.com"/);
    expect(ran.program).toMatch(/new dataplatform\.Role\("role-analyst", \{[^;]*resource: "command"/);
    expect(ran.program).toContain('dbPasswd: config.getSecret("store-sales-password")');
    expect(ran.program).toContain('gatewayPrivateKey: config.requireSecret("store-sales-2-gateway-private-key")');
    expect(ran.stdout).toMatch(/config set --secret store-sales-2-gateway-private-key < FILE\n {2}pulumi import/);
    for (const remark of ["group everyone is a system group,", "role system-user is a system role,"])
      expect(ran.program).toMatch(RegExp(`// - ${remark} which cannot be changed or deleted(\\n|; where its)`));
    expect(ran.program).not.toMatch(/new dataplatform\.DataStore\("data-store"|canary/);
    const project = readFileSync(join(ran.folder, "Pulumi.yaml"), "utf8");
    expect(project).toContain("dataplatform:extendedApi:\n    value: true");
    const { resources } = JSON.parse(readFileSync(join(ran.folder, "import.json"), "utf8"));
    expect(resources).toContainEqual({ type: "dataplatform:index:DataStore", name: "store-sales", id: "601" });
  });

  test("what an installation lacks is left out, with a warning", async () => {
    const ran = await exportedFrom(["groups.list", "groups.roles", "roles.list"]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toMatch(/warning: skipped the data stores: .*cannot list the data stores/);
    expect(ran.program).toMatch(/Group\("group-analysts", \{[^}]*roles: \["analyst"\]/);
    expect(ran.program).toMatch(/may not read these parts, or this installation cannot show[\s\S]*- the data stores:/);
    expect(ran.program).toContain('new dataplatform.DataStore("data-store"');
  });

  test("--skip leaves parts out", async () => {
    const parts = ["users", "tables", "account", "roles", "groups", "data-stores"];
    const { program } = await exportedFrom(true, ...parts.flatMap((part) => ["--skip", part]));
    expect(program).not.toMatch(/EnabledUser\(|daily_ticks|Account\(|dataplatform\.(Role|Group)\(|config\./);
  });
});
