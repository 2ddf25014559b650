import { deepStrictEqual, ok } from "node:assert";
import { Client } from "../../../provider/api/client";
import { readSettings } from "../../../provider/api/settings";
import { FunctionRun } from "../../../provider/core/function-run";
import type { Properties } from "../../../provider/core/properties";
import { functions } from "../../../provider/functions";
import { normaliseIp } from "../../../provider/values/ip-address";
import { isRewritten } from "../../../provider/values/policy";
import type { PlatformState, SecondPlatform, Switches, SwitchName } from "../../second-platform";

export interface Call {
  readonly name: string;
  readonly inputs?: Properties;
  /** The switches that affect it, besides the forms of requests and answers. */
  readonly concerns: RegExp;
  /** Throws if the result does not match the platform. */
  judge(result: Properties, state: PlatformState, switches: Partial<Switches>): void;
}

const own = 101;
export type Listed = readonly Properties[];

const specifiedCalls: readonly Call[] = [
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
    judge({ users }, state, { usersShown = "enabled and disabled" }) {
      const listed = state.users.filter(
        (user) =>
          user.accountId === own &&
          (usersShown === "all" ||
            user.state === "enabled" ||
            (user.state === "disabled" && usersShown !== "enabled only")),
      );
      deepStrictEqual(sorted((users as Listed).map(({ id }) => id)), sorted(listed.map(({ id }) => id)));
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
    judge({ emails }, state, { emailsShown = "enabled and disabled" }) {
      const listed = state.users.filter(
        (user) =>
          user.accountId === own &&
          (emailsShown === "all" ||
            user.state === "enabled" ||
            (user.state === "disabled" && emailsShown !== "enabled only")),
      );
      deepStrictEqual(sorted(emails as string[]), sorted(listed.map(({ email }) => email)));
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
    concerns: /^(history|tags|command|submitTime|runTimes|qlog|resolved|uid|label|timeoutEcho|nameEcho|spark|comments)/,
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
  {
    concernsAll,
    patience = 0,
    calls = specifiedCalls,
    extended = false,
  }: {
    readonly concernsAll: boolean;
    readonly patience?: number;
    readonly calls?: readonly Call[];
    readonly extended?: boolean;
  },
): Promise<string[]> {
  const settings = readSettings((name) => (name === "baseUrl" ? platform.url : undefined), {
    DATAPLATFORM_API_TOKEN: platform.tokens.admin,
    DATAPLATFORM_EXTENDED_API: String(extended),
    DATAPLATFORM_PROFILE: platform.profile,
  });
  const client = new Client(settings, { firstDelayMs: 4, longestDelayMs: 30 });
  const findings: string[] = [];
  const isConcerned = ({ concerns }: Call) =>
    concernsAll || (Object.keys(switches) as SwitchName[]).some((name) => concerns.test(name));
  for (const { name, inputs = {}, judge } of calls.filter(isConcerned)) {
    const definition = functions.find((one) => one.name === name)!;
    const host = { client: () => client, log: { info() {}, warn() {} }, extendedApi: () => extended };
    const run = new FunctionRun(definition, host);
    for (let left = patience; ; left--)
      try {
        const result = await run.run(inputs, { preview: false });
        judge(result, platform.state(), switches);
        break;
      } catch (error) {
        if (left > 0) continue;
        findings.push(`${name}: ${(error as Error).message.replaceAll("\n", " ")}`);
        break;
      }
  }
  await client.close();
  return findings;
}

/** Only identity counts: order and case are up to the platform. Ignores what no user has. */
export function sorted(values: readonly unknown[]): string[] {
  const texts = values.filter((value) => value !== undefined && !foreign.has(String(value)));
  return [...new Set(texts.map((value) => String(value).toLowerCase()))].sort();
}

/** The odd records that a switch adds to a list. */
const foreign = new Set(["9901", "odd@example.com"]);
