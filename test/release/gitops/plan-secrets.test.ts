import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withoutPlannedValues } from "../../../cli/pipeline/violation";
import { sharedEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { ownStack } from "../../harness/stacks";

/* Plans leave the machine that made them, so no secret may be readable in one; nor in what a run says about its plan. */

const emulator = sharedEmulator();

/** Secrets of definitions, one over several lines, in both modes, and one that only the program marks. */
const program = (round: string): Program => {
  const args = {
    dbName: "sales",
    dbHost: "db.example.com",
    dbPasswd: `canary-password-${round}`,
    dbLocation: "on-premise",
    gatewayIp: "10.0.0.1",
    gatewayUsername: "jump",
    gatewayPrivateKey: `-----BEGIN KEY-----\ncanary-key-${round}\n-----END KEY-----`,
  };
  const packages = { $secret: [`canary${round}`] };
  return {
    own: { type: "Provider", args: { apiToken: emulator.tokens["admin"] } },
    store: { type: "DataStore", args: { ...args, name: `store ${round}` } },
    wired: { type: "DataStore", args: { ...args, name: `wired ${round}` }, opts: { provider: "own" } },
    packages: {
      type: "PackageSet",
      args: { envId: 401, sourceType: "python_package", packages },
      // What departs first stops the run.
      opts: { dependsOn: ["store", "wired"] },
    },
  };
};

const encodings = (text: string): string[] => [
  text,
  Buffer.from(text).toString("base64").slice(0, -4),
  encodeURIComponent(text),
];
const secretsOf = (round: string): string[] =>
  [`canary-password-${round}`, `canary-key-${round}`, `canary${round}`, "canary-config"].flatMap(encodings);

function expectNone(text: string, ...rounds: string[]): void {
  expect(text.length).toBeGreaterThan(100);
  for (const secret of rounds.flatMap(secretsOf)) expect(text).not.toContain(secret);
}

test("a plan keeps its secrets, in both modes, and so does a refusal", async () => {
  const stack = await ownStack(emulator, { env: { PULUMI_EXPERIMENTAL: "1" } });
  await stack.pulumi("config", "set", "--secret", "project:password", "canary-config", "--stack", "test");
  const file = join(stack.folder, "plan.json");
  const outputs = { password: { $ref: "store.dbPasswd" }, wired: { $ref: "wired.dbPasswd" } };
  stack.write(program("one"), outputs);
  expect(await stack.operate("preview", "--save-plan", file)).toMatchObject({ code: 0, steps: { create: 3 } });
  const plan = readFileSync(file, "utf8");
  expectNone(plan, "one");
  expect(plan.match(/"ciphertext"/g)!.length).toBeGreaterThan(6);
  expect(plan).not.toContain(emulator.tokens["admin"]);

  // The same resources with other secrets, as from a program that reads them from elsewhere.
  stack.write(program("two"), outputs);
  const refused = await stack.operate("up", "--yes", "--plan", file);
  expect(refused).toMatchObject({ code: 1, steps: {} });
  // The engine shows both: this is why its output is filtered. If it ever stops to, the filter can go.
  expect(refused.stdout).toContain("-one");
  expect(refused.stdout).toContain("-two");
  const filter = withoutPlannedValues();
  const shown = filter(refused.stdout) + filter("\n");
  expectNone(shown, "one", "two");
  expect(shown).toMatch(/DataStore::\w+ violates plan: properties changed: \+\+\w+\n\(The engine quotes the values/);
});
