import { beforeAll, describe, expect, test } from "vitest";
import { sharedEmulator, writesTo } from "../../harness/emulators";
import { PluginProcess } from "../../harness/plugin";
import { shared } from "../../harness/shared";
import type { Program } from "../../harness/stack";
import { mode, sharedStack } from "../../harness/stacks";
import { quick } from "./shared";

/** Declaring the same key in two resources fails at preview, and the error names both. */

const policy = [{ access: "allow", action: ["read"] }];
const packages = (...names: readonly string[]) => ({ envId: 403, sourceType: "python_package", packages: names });

const clashes: readonly (readonly [key: string, program: Program])[] = [
  [
    "address 203.0.113.1",
    {
      one: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.1" } },
      two: { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "203.0.113.1/32"] } },
    },
  ],
  [
    "policy of note/502",
    {
      one: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "502", policy } },
      two: { type: "ObjectPolicy", args: { sourceType: "note", sourceId: "502", policy: [] } },
    },
  ],
  [
    "policy of folder notes/Common/reports",
    {
      one: { type: "FolderPolicy", args: { type: "notes", location: "Common/reports", policy } },
      two: { type: "FolderPolicy", args: { type: "notes", location: "/Common/reports/", policy } },
    },
  ],
  [
    "python_package scikit-learn of environment 403",
    {
      one: { type: "PackageSet", args: packages("polars", "scikit-learn==1.5.0") },
      two: { type: "PackageSet", args: packages("Scikit_Learn==1.6.0") },
    },
  ],
  [
    "role analyst of group 205",
    {
      one: { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" } },
      two: { type: "GroupRoleAssignment", args: { groupId: 205, role: "analyst" } },
    },
  ],
];

/** The engine only reports the first failed check, and takes seconds: one clash is enough there. */
describe(`on the engine, in ${mode} mode`, () => {
  const emulator = sharedEmulator(quick);
  const stack = sharedStack(emulator, { mode });

  test("preview fails, and nothing is sent", async () => {
    const [key, program] = clashes[0]!;
    const outcome = await stack.preview(program);
    expect(outcome.code).not.toBe(0);
    // The engine decides which of the two comes first.
    const failure = outcome.diagnostics.find(({ message }) => message.includes(`declares the ${key}`));
    const [loser, winner] = failure?.urn?.endsWith("::one")
      ? ["one", 'IpWhitelist "two"']
      : ["two", 'WhitelistedIp "one"'];
    expect(failure?.message).toContain(`resource '${loser}'`);
    expect(failure?.message).toContain(`which ${winner} in this program also declares`);
    expect(writesTo(emulator)).toEqual([]);
  });
});

describe("the plugin, called directly", () => {
  const plugin = shared(() => PluginProcess.start());
  beforeAll(async () => {
    await plugin.handshake();
  });

  test.each(clashes)("the %s", async (key, program) => {
    // Configure starts a run.
    await plugin.configure({ baseUrl: "https://api.example.com", apiToken: "token" });
    const reasons = async (name: string) => {
      const { type, args } = program[name]!;
      return (await plugin.check(type, args, name)).failures.map(({ reason }) => reason);
    };
    const clashWith = (name: string) =>
      `declares the ${key}, which ${program[name]!.type} "${name}" in this program also declares; declare it only once`;
    expect(await reasons("one")).toEqual([]);
    // A resource that will be replaced is checked twice, and must not clash with itself.
    expect(await reasons("one")).toEqual([]);
    expect(await reasons("two")).toEqual([clashWith("one")]);
  });
});
