import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { rules } from "../../../policies";
import { compileProgram } from "../../harness/compile";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { nameOf, type Outcome, type Violation } from "../../harness/engine-events";
import { folderPackMessage } from "../../harness/engine-messages";
import { expectOk, mode, sharedStack } from "../../harness/stacks";

const pack = "node_modules/pulumi-dataplatform/dist/policies/main.js";

/** What each rule reports about the bad examples, which are on the rules' pages. */
const expected: Readonly<Record<string, readonly string[]>> = {
  "whole-internet": ["from-anywhere", "in-two-halves", "in-two-halves", "in-two-halves"],
  "way-back-in": ["office"],
  // The third is the bad example of another rule.
  "one-exclusive-whitelist": ["office", "team-a", "team-b"],
  "deny-the-rest": ["only-allows"],
  "all-to-everybody": ["granted-to-everybody", "open-to-everybody"],
  "manage-by-groups": ["granted-to-ana", "managed-by-ana"],
  "protected-policies": ["reports"],
  "protected-data": ["sales"],
  "plaintext-secrets": ["load-stock", "stock"],
  "on-premise-gateway": ["warehouse"],
  "system-admin": ["engineers-may-do-everything", "operators-may-do-everything"],
  "separate-duties": ["helpers", "jack-of-all-trades"],
  "roles-named-one-way": ["by-id"],
  "command-triggers": ["refresh-trades"],
  "package-versions": ["science", "science"],
};

const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");

type Reported = { readonly policyName: string; readonly resourceUrn: string };
const byRule = ({
  violations,
}: {
  violations: readonly Pick<Violation, "rule" | "name">[];
}): Record<string, string[]> => {
  const names = (rule: string) => violations.filter((one) => one.rule === rule).map(({ name }) => name);
  return Object.fromEntries([...new Set(violations.map(({ rule }) => rule))].map((rule) => [rule, names(rule).sort()]));
};

test("there is a bad and a good example of each rule, and the program declares all of them", () => {
  const names = rules.map(({ name }) => name);
  const program = readFileSync(join(root, "examples/policies/index.ts"), "utf8");
  expect([...program.matchAll(/^ {2}"([\w-]+)",$/gm)].map(([, name]) => name)).toEqual(names);
  for (const folder of ["bad", "good"])
    expect(readdirSync(join(root, "examples/policies", folder)).sort()).toEqual(
      names.map((name) => `${name}.ts`).sort(),
    );
  expect(Object.keys(expected)).toEqual(names);
});

describe(`the examples in ${mode} mode`, () => {
  const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
  const config = { extendedApi: "true", mode, "policies:plainPassword": "not-encrypted" };
  const stack = sharedStack(emulator, { program: "examples/policies", config });
  const judged = (verb: string, examples: "bad" | "good", level: string, ...flags: string[]): Promise<Outcome> => {
    const levels = JSON.parse(readFileSync(join(root, "examples/policies/policies.json"), "utf8")) as object;
    writeFileSync(join(stack.folder, "levels.json"), JSON.stringify({ ...levels, "whole-internet": level }));
    const packFlags = ["--policy-pack", pack, "--policy-pack-config", "levels.json"];
    return stack.operate(verb, "--config", `policies:examples=${examples}`, ...packFlags, ...flags);
  };

  beforeAll(async () => {
    const project = join(stack.folder, "Pulumi.yaml");
    const plugin =
      "plugins:\n  providers:\n    - name: dataplatform\n      path: ./node_modules/pulumi-dataplatform/dist/plugin\n";
    writeFileSync(project, readFileSync(project, "utf8") + plugin);
    compileProgram(stack.folder, "bad", "good");
    await expectOk(stack.pulumi("config", "set", "--secret", "password", "hidden-password", "--stack", "test"));
  });

  test("a preview warns about each bad example", async () => {
    const preview = await expectOk(judged("preview", "bad", "advisory"));
    expect(byRule(preview), preview.text).toEqual(expected);
    expect(new Set(preview.violations.map(({ level }) => level))).toEqual(new Set(["advisory"]));
    for (const { message, name, rule } of preview.violations) {
      expect(message).toContain(name);
      expect(message).toContain(`(node_modules/pulumi-dataplatform/docs/policies/${rule}.md)`);
      expect(message).not.toMatch(/not-encrypted|s3cret/);
    }
  });

  // What the rules say does not depend on the mode, and how a pack is started neither: each once is enough.
  if (mode === "dynamic") {
    test("an up stops at what is mandatory, before it creates it", async () => {
      const up = await judged("up", "bad", "mandatory", "--yes", "--skip-preview");
      expect(up.code, up.text).not.toBe(0);
      expect(up.violations.filter(({ level }) => level === "mandatory").map(({ rule }) => rule)).toContain(
        "whole-internet",
      );
      expect(addressesOf(emulator)).not.toContain("0.0.0.0/0");
    });

    test("nothing is reported about the good examples: not before they exist, not by up, not about their state", async () => {
      // What the stopped up has created before it stopped differs from run to run.
      stack.editState(() => []);
      emulator.reset();
      for (const [verb, ...flags] of [["preview"], ["up", "--yes", "--skip-preview"]] as const) {
        const outcome = await expectOk(judged(verb, "good", "mandatory", ...flags));
        expect(outcome.violations, outcome.text).toEqual([]);
      }
      expect(await analysed()).toEqual({});
      // What a state shows that was written without the pack.
      stack.editState((resources) => resources.map(spoilt));
      expect(await analysed()).toEqual({
        "whole-internet": ["from-the-office"],
        "protected-data": ["stock"],
        "plaintext-secrets": ["stock"],
      });
    });

    /** What `pulumi policy analyze` reports about the state, from a file and without the stack. */
    async function analysed(): Promise<Record<string, string[]>> {
      await expectOk(stack.pulumi("stack", "export", "--stack", "test", "--file", "state.json"));
      const packFlags = ["--policy-pack", pack, "--policy-pack-config", "levels.json"];
      const analyze = ["policy", "analyze", "--file", "state.json", "--json", ...packFlags];
      const { stdout, stderr } = await stack.pulumi(...analyze);
      const events = stdout.match(/^\{.*/gm)?.map((line) => JSON.parse(line) as { policyEvent?: Reported });
      expect(events, stderr).toBeDefined();
      const violations = events!.flatMap(({ policyEvent: one }) =>
        one ? [{ rule: one.policyName, name: nameOf(one.resourceUrn) }] : [],
      );
      return byRule({ violations });
    }
  } else {
    const previewed = (folder: string) =>
      stack.operate("preview", "--config", "policies:examples=bad", "--policy-pack", folder);

    test("as a folder for the Node host: it works, or fails with the message on the page", async () => {
      const outcome = await previewed("node_modules/pulumi-dataplatform/dist/policies/policy-pack");
      if (outcome.code === 0) return expect(byRule(outcome)["whole-internet"]).toEqual(expected["whole-internet"]);
      expect(page).toContain(folderPackMessage);
      for (const part of folderPackMessage.split("…")) expect(outcome.text).toContain(part.replace(/^: /, "").trim());
    });

    test("as a folder with a runtime that is no language, which the engine starts without a host", async () => {
      const starter = join(stack.folder, "starter");
      const program = `#!/bin/sh\nexec "${process.execPath}" "${join(stack.folder, pack)}" "$1"\n`;
      mkdirSync(starter, { recursive: true });
      writeFileSync(join(starter, "pulumi-analyzer-policy-dataplatform-rules"), program, { mode: 0o755 });
      mkdirSync(join(stack.folder, "rules"), { recursive: true });
      writeFileSync(join(stack.folder, "rules/PulumiPolicy.yaml"), "runtime: dataplatform-rules\n");
      const project = join(stack.folder, "Pulumi.yaml");
      const analyzer = "  analyzers:\n    - name: policy-dataplatform-rules\n      path: ./starter\n";
      writeFileSync(project, readFileSync(project, "utf8") + analyzer);
      const outcome = await expectOk(previewed("rules"));
      expect(byRule(outcome)["whole-internet"]).toEqual(expected["whole-internet"]);
    });
  }
});

/** Resources as an earlier version, or somebody without the pack, might have left them. */
function spoilt<T extends { readonly urn: string; readonly inputs?: object; readonly outputs?: object }>(
  resource: T,
): T {
  const name = nameOf(resource.urn);
  const change =
    name === "stock" ? { dbPasswd: "in plain text" } : name === "from-the-office" ? { ipCidr: "::/0" } : {};
  const { inputs, outputs } = resource;
  const changed = { ...resource, inputs: { ...inputs, ...change }, outputs: { ...outputs, ...change } };
  return name === "stock" ? { ...changed, protect: false } : Object.keys(change).length > 0 ? changed : resource;
}
