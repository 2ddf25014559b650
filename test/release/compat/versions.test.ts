import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { addressesOf, ownEmulator } from "../../harness/emulators";
import { engineFolder, root, run } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";
import { encryptedSecret } from "../../harness/secret-values";
import { expectOk, ownStack } from "../../harness/stacks";
import { newestNode, nodeFolder, pulumiVersions, usePulumi } from "../../harness/versions";

const { oldest, newest } = pulumiVersions;
const thisNode = process.versions.node;

const entries = {
  CommonJS: 'module.exports = require("./program.cjs")(require("@pulumi/pulumi"), require("pulumi-dataplatform"));\n',
  ESM: 'import * as pulumi from "@pulumi/pulumi";\nimport * as dataplatform from "pulumi-dataplatform";\nimport declare from "./program.cjs";\nexport default declare(pulumi, dataplatform);\n',
} as const;

/** Without skipLibCheck, so that our declarations are checked, not only their use. */
const typesConfig = {
  extends: join(root, "tsconfig.json"),
  compilerOptions: {
    noEmit: true,
    incremental: false,
    tsBuildInfoFile: null,
    rootDir: "/",
    skipLibCheck: false,
    allowJs: true,
    checkJs: true,
  },
  include: ["*.ts", "*.cjs"],
};

const program = join(root, "test/release/compat/program.js");
const secret = encryptedSecret(expect.any(String));

test("the types compile against the oldest version", async () => {
  const folder = ownFolder();
  usePulumi(folder, oldest);
  symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"), "dir");
  for (const name of ["right-arguments.ts", "wrong-arguments.ts"])
    cpSync(join(root, "test/engine/types", name), join(folder, name));
  cpSync(program, join(folder, "program.cjs"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(typesConfig));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, code } = await run(process.execPath, [compiler, "-p", folder], { cwd: folder, env: process.env });
  expect(stdout).toBe("");
  expect(code).toBe(0);
});

/** What the program exports in each mode. */
const outputs = {
  name: "Analytics",
  keyInPromise: "string",
  keyInOutput: secret,
  filteredBySecret: secret,
  listed: true,
  elements: 2,
  submitted: "done",
  submittedOutput: "done",
};

// The two ends. All other tests run with the version in between, on this Node.
test.each([
  { pulumi: oldest, node: thisNode, format: "CommonJS" },
  { pulumi: newest, node: newestNode, format: "ESM" },
] as const)(
  "both modes run with @pulumi/pulumi $pulumi on Node $node, in $format",
  async ({ pulumi, node, format }) => {
    const emulator = await ownEmulator({ waitSeconds: 0, runSeconds: 0 });
    const PATH = [nodeFolder(node), engineFolder(), process.env["PATH"]].join(delimiter);
    const stack = await ownStack(emulator, { env: { PATH } });
    usePulumi(stack.folder, pulumi);
    const description = { name: "project", main: "index.js", type: format === "ESM" ? "module" : "commonjs" };
    writeFileSync(join(stack.folder, "package.json"), JSON.stringify(description));
    writeFileSync(join(stack.folder, "index.js"), entries[format]);
    cpSync(program, join(stack.folder, "program.cjs"));

    // Before anything exists: dependents are unknown, and nothing is changed or submitted.
    const { stdout } = await expectOk(stack.preview());
    const reads = { "account.view": 4, "hive.list": 2, "objectPolicy.view": 2, "whitelist.list": 2 };
    expect(emulator.requests().counts).toEqual(reads);
    expect(stdout.match(/(listed|elements|submitted|submittedOutput) *: (\[unknown\]|output<)/g)).toHaveLength(8);
    expect(stdout.match(/(keyInOutput|filteredBySecret) *: \[secret\]/g)).toHaveLength(4);
    emulator.clearRequests();

    expect((await expectOk(stack.up())).steps).toEqual({ create: 8 });
    const { text, resources } = await stack.exportState();
    const { checkpoint } = JSON.parse(text) as {
      checkpoint: { latest: { resources: { type: string; outputs?: object }[] } };
    };
    const itself = checkpoint.latest.resources.find(({ type }) => type === "pulumi:pulumi:Stack");
    expect(itself?.outputs).toEqual({ node, pulumi, dynamic: outputs, plugin: outputs });
    expect(emulator.requests().counts["commands.submit"]).toBe(4);
    for (const mode of ["dynamic", "plugin"]) {
      const role = resources.find(({ urn }) => urn.endsWith(`::${mode}-role`))!;
      // The role comes from a function that depends on a component, and so on the component's children.
      expect(role.dependencies).toContainEqual(expect.stringContaining(`::${mode}-office`));
    }
    emulator.clearRequests();

    const { found, steps } = await expectOk(stack.operate("preview", "--refresh"));
    expect(new Set(Object.values(found))).toEqual(new Set(["same"]));
    expect(steps).toEqual({ refresh: 8, same: 8 });
    const sent = Object.keys(emulator.requests().counts);
    expect(sent.filter((call) => /add|set|submit|delete|assign/.test(call))).toEqual([]);

    expect((await expectOk(stack.destroy())).steps).toEqual({ delete: 8 });
    expect(addressesOf(emulator)).toEqual([]);
  },
);
