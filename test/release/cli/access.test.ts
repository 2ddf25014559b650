import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AccessReport } from "../../../cli/access/report";
import { allow, lines } from "../../fast/cli/access-sample";
import { onStack } from "../../harness/command";
import { sharedEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";

const emulator = sharedEmulator({ readings: { userEntry: "manual" } });

const policy = (sourceId: string, elements: unknown, more: object = {}) => ({
  type: "ObjectPolicy",
  args: { sourceType: "note", sourceId, policy: elements, ...more },
});
const everyoneReads = [allow(["read"], { svcGroups: [203] })];
const before: Program = {
  churn: policy("501", everyoneReads),
  scratch: policy("502", everyoneReads, { onDestroy: "clear" }),
};
const after: Program = {
  churn: policy("501", [...everyoneReads, allow(["delete"], { svcGroups: [204] })]),
  later: { ...policy("502", { $later: everyoneReads }), opts: {} },
  operator: { type: "ObjectGrant", args: { sourceType: "scheduler", sourceId: "521", user: 105, allow: ["manage"] } },
};

test("what a pull request changes", async () => {
  const stack = await ownStack(emulator);
  await expectOk(stack.up(before));
  const state = (await stack.exportState()).text;
  const now = await onStack(stack, "access", "--object", "note/501", "--user", "104");
  expect(now).toMatchObject({ code: 0, stderr: "" });
  expect(now.stdout).toMatch(/note\/501: policy from the platform\n/);
  expect(now.stdout).toMatch(/✓ allowed +\? not said .* user 104 \(analyst@analytics\.example\.com\)\n/);

  stack.write(after);
  const preview = await onStack(stack, "access", "--preview", "--fail-on-gain");
  expect(preview).toMatchObject({ code: 2, stderr: "" });
  expect(preview.stdout).toContain(
    "user 104 (analyst@analytics.example.com) gains delete on note/501 through group 204 (analysts)\n",
  );

  const plan = await stack.pulumi("preview", "--json", "--stack", "test");
  writeFileSync(join(stack.folder, "plan.json"), plan.stdout);
  const json = await onStack(stack, "access", "--plan-file", "plan.json", "--format", "json");
  expect(json).toMatchObject({ code: 0, stderr: "" });
  expect(lines((JSON.parse(json.stdout) as AccessReport).changes).sort()).toEqual([
    "104 gains delete on note/501",
    "105 gains manage on scheduler/521",
    "members of 204 gains delete on note/501",
    "note/502: known only after up",
  ]);
  expect(json.stdout).not.toContain(emulator.tokens["admin"]!);
  expect((await stack.exportState()).text).toBe(state);

  stack.write({ broken: policy("501", [{ access: "maybe" }]) });
  const failed = await onStack(stack, "access", "--preview");
  expect(failed).toMatchObject({ code: 1, stdout: "" });
  expect(failed.stderr).toMatch(/"pulumi preview --json" failed in .*access/s);
});
