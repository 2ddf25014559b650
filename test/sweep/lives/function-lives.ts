import { deepStrictEqual, ok } from "node:assert";
import type { Properties } from "../../../provider/core/properties";
import { normaliseIp } from "../../../provider/values/ip-address";
import { isRewritten } from "../../../provider/values/policy";
import { resultOf } from "../../harness/in-process";
import type { PlatformState, SecondPlatform, Switches, SwitchName } from "../../second-platform";

interface Call {
  readonly name: string;
  readonly inputs?: Properties;
  /** The switches that affect it, besides the forms of requests and answers. */
  readonly concerns: RegExp;
  /** Throws if the result does not match the platform. */
  judge(result: Properties, state: PlatformState, switches: Partial<Switches>): void;
}

const own = 101;
type Listed = readonly Properties[];

/** The users that a list shows. */
function usersIn({ users }: PlatformState, shown: Switches["usersShown"] = "enabled and disabled") {
  const states = { "enabled and disabled": ["enabled", "disabled"], "enabled only": ["enabled"], all: undefined }[
    shown
  ];
  return users.filter(({ accountId, state }) => accountId === own && (states?.includes(state) ?? true));
}

const calls: readonly Call[] = [
  {
    name: "getAccount",
    concerns: /^account/,
    judge(result) {
      deepStrictEqual([String(result["id"]), result["name"]], ["101", "acme"]);
    },
  },
  {
    name: "getUsers",
    concerns: /^users/,
    judge({ users }, state, { usersShown }) {
      const ids = usersIn(state, usersShown).map(({ id }) => id);
      deepStrictEqual(sorted((users as Listed).map(({ id }) => id)), sorted(ids));
    },
  },
  {
    name: "getPendingUsers",
    concerns: /^(users|pending)/,
    judge({ users }, state) {
      const pending = state.users.filter((user) => user.accountId === own && user.state === "pending");
      deepStrictEqual(sorted((users as Listed).map(({ email }) => email)), sorted(pending.map(({ email }) => email)));
    },
  },
  {
    name: "getUserEmails",
    concerns: /^(users|emails)/,
    judge({ emails }, state, { emailsShown }) {
      deepStrictEqual(sorted(emails as string[]), sorted(usersIn(state, emailsShown).map(({ email }) => email)));
    },
  },
  {
    name: "getWhitelistedIps",
    concerns: /^whitelist/,
    judge({ whitelistedIps }, state) {
      const listed = state.whitelist.filter(({ accountId }) => accountId === own).map(({ ip }) => normaliseIp(ip));
      deepStrictEqual(
        sorted((whitelistedIps as Listed).map(({ ipCidr }) => normaliseIp(String(ipCidr)))),
        sorted(listed),
      );
    },
  },
  {
    name: "getHiveTables",
    inputs: { describe: true },
    concerns: /^hive/,
    judge({ names, tables }, _, { hiveColumns = "table columns" }) {
      deepStrictEqual(sorted(names as string[]), sorted(["orders", "customers", "Order_events"]));
      const columns = (tables as Listed).find(({ name }) => name === "customers")?.["columns"] as Listed;
      deepStrictEqual(columns.length > 0, hiveColumns !== "null" && hiveColumns !== "[]");
    },
  },
  {
    name: "getHiveTables",
    inputs: { filter: "nothing-has-this-name" },
    concerns: /^hive/,
    judge: ({ names }) => deepStrictEqual(names, []),
  },
  {
    name: "getCommandHistory",
    inputs: { limit: 2, allUsers: true, includeQueryProperties: true },
    concerns: /^(history|tags|command|submitTime|qlog|resolved|uid|timeoutEcho|nameEcho|spark)/,
    judge({ commands }, state, { historyOrder = "newest first" }) {
      const ids = state.commands
        .filter(({ accountId, id }) => accountId === own && id !== 4001)
        .map(({ id }) => String(id));
      const listedIds = (commands as Listed).map(({ id }) => String(id));
      deepStrictEqual(listedIds.length, 2);
      for (const id of listedIds) ok(ids.includes(id) || id === "990001", `${id} is not a command of this account`);
      if (historyOrder === "newest first")
        ok(listedIds.includes(ids.at(-1)!) || listedIds.includes("990001"), "not the newest");
    },
  },
  {
    name: "getObjectPolicy",
    inputs: { sourceType: "scheduler", sourceId: "701" },
    concerns: /^policy/,
    judge({ policy }) {
      const seeded = [
        { access: "allow" as const, action: ["read", "update"], condition: { svcUsers: [14, 11], svcGroups: [4] } },
        { access: "deny" as const, action: ["all"], condition: { svcGroups: [3] } },
      ];
      ok(isRewritten(policy as never, seeded), JSON.stringify(policy));
    },
  },
  {
    name: "getObjectPolicy",
    inputs: { sourceType: "note", sourceId: "502" },
    concerns: /^policy/,
    judge: ({ policy }, _, { policyViewNone }) =>
      deepStrictEqual((policy as Listed).length, policyViewNone === "owner only" ? 1 : 0),
  },
  {
    name: "checkPartition",
    inputs: { schema: "default", table: "orders", columns: [{ column: "dt", values: ["2024-01-02"] }] },
    concerns: /^sensor/,
    judge: ({ ready }, { sensors }) => deepStrictEqual(ready, sensors.at(-1)!.status),
  },
  {
    name: "submitCommand",
    inputs: { tableRefresh: { dbName: "default", hiveTable: "orders" }, name: "of a function" },
    concerns: /^(refresh|submission|command|tags|submitTime|uid|unknownCommandType)/,
    judge({ id }, { commands }) {
      const made = commands.filter(({ name }) => name === "of a function");
      deepStrictEqual([made.length, String(made[0]?.id)], [1, id]);
    },
  },
];

/** Calls every function that a reading affects, and reports results that do not match the platform. */
export async function functionFindings(
  platform: SecondPlatform,
  switches: Partial<Switches>,
  { concernsAll, patience = 0 }: { readonly concernsAll: boolean; readonly patience?: number },
): Promise<string[]> {
  const findings: string[] = [];
  const isConcerned = ({ concerns }: Call) =>
    concernsAll || (Object.keys(switches) as SwitchName[]).some((name) => concerns.test(name));
  for (const { name, inputs = {}, judge } of calls.filter(isConcerned))
    for (let left = patience; ; left--)
      try {
        judge(await resultOf(name, inputs, platform, { retries: 5 }), platform.state(), switches);
        break;
      } catch (error) {
        if (left > 0) continue;
        findings.push(`${name}: ${(error as Error).message.replaceAll("\n", " ")}`);
        break;
      }
  return findings;
}

/** Only identity counts: order and case are up to the platform. Ignores what no user has. */
function sorted(values: readonly unknown[]): string[] {
  const texts = values.filter((value) => value !== undefined && !foreign.has(String(value)));
  return [...new Set(texts.map((value) => String(value).toLowerCase()))].sort();
}

/** The odd records that a switch adds to a list. */
const foreign = new Set(["9901", "odd@example.com"]);
