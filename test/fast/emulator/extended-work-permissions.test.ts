import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { type Call, control, emulate, putEntry, refusal, send, spark } from "./calls";

const v = "/api/v1.2";
const v2 = "/api/v2/accounts";
const folder = { location: "Common/reports", type: "notes" };

/** Each operation: a valid call, and the permission of its row. System-user may call all of them. */
const table: [operation: string, call: Call, permission: string][] = [
  ["commands.status", { method: "GET", path: `${v}/commands/10001` }, "viewing command status"],
  ["commands.cancel", { method: "PUT", path: `${v}/commands/10001`, body: { status: "kill" } }, "submitting a command"],
  ["commands.logs", { method: "GET", path: `${v}/commands/10001/logs` }, "viewing commands' logs"],
  ["commands.errorLogs", { method: "GET", path: `${v}/commands/10001/error_logs` }, "viewing commands' logs"],
  ["commands.results", { method: "GET", path: `${v}/commands/10001/results` }, "viewing command results"],
  [
    "commands.statusWithResults",
    { method: "GET", path: `${v}/commands/10001/status_with_results` },
    "viewing command status",
  ],
  ["commands.jobs", { method: "GET", path: `${v}/commands/10001/jobs` }, "viewing command status"],
  ["package.listPackages", { method: "GET", path: `${v}/package/401/list_packages` }, "reading an environment"],
  ["package.listEnvironments", { method: "GET", path: `${v}/package/list_environments` }, "reading an environment"],
  [
    "folders.viewPolicy",
    { method: "GET", path: `${v}/folders/policy`, body: { ...folder, source_type: "Folder" } },
    "submitting a command",
  ],
  [
    "folders.create",
    { method: "POST", path: `${v}/folders/`, body: { name: "new1", location: "Common", type: "notes" } },
    "submitting a command",
  ],
  [
    "folders.move",
    {
      method: "POST",
      path: `${v}/folders/move`,
      body: { ...folder, destination_location: "Users/owner@analytics.example.com" },
    },
    "submitting a command",
  ],
  ["account.edit", { method: "PUT", path: `${v}/account/`, body: {} }, "editing an account"],
  ["account.editV2", { method: "PUT", path: `${v2}/`, body: {} }, "editing an account"],
  ["account.viewV2", { method: "GET", path: `${v2}/` }, "viewing an account's details"],
  [
    "whitelist.addV2",
    { method: "POST", path: `${v2}/whitelist_ip`, body: { ip_cidr: "192.0.2.1" } },
    "editing an account",
  ],
  ["whitelist.listV2", { method: "GET", path: `${v2}/whitelist_ip` }, "editing an account"],
  ["whitelist.deleteV2", { method: "DELETE", path: `${v2}/whitelist_ip/50` }, "editing an account"],
  [
    "hive.tablesWithViews",
    { method: "GET", path: `${v}/hive/default/tables_with_views` },
    "viewing a table definition",
  ],
  ["hive.table", { method: "GET", path: `${v}/hive/sales/orders` }, "viewing a table definition"],
  ["hive.partitions", { method: "GET", path: `${v}/hive/sales/orders/partitions` }, "viewing a table definition"],
  [
    "hive.tableProperties",
    { method: "GET", path: `${v}/hive/sales/orders/table_properties` },
    "viewing a table's properties",
  ],
];

let emulator: Emulator;
let plain: Emulator;

beforeAll(async () => {
  emulator = await emulate({ clock: "manual", extended: true });
  plain = await emulate();
});
beforeEach(async () => {
  emulator.reset();
  await putEntry(emulator.url);
  await send(emulator.url, emulator.tokens.admin, { method: "POST", path: `${v}/commands`, body: spark });
  emulator.advance(60);
});
afterAll(() => Promise.all([emulator.close(), plain.close()]));

describe.each(table)("%s", (operation, call, permission) => {
  const as = (alias: string) => send(emulator.url, emulator.tokens[alias], call);

  test.each(["admin", "user"])("%s may", async (alias) => {
    expect((await as(alias)).status).toBe(200);
    expect(emulator.requests().counts[operation]).toBe(1);
  });

  test("others may not, the refusal names the permission, and nothing changes", async () => {
    const before = emulator.state({ secrets: true });
    const pattern = new RegExp(`^${operation} is not allowed.*"${permission}"`);
    expect(await as("powerless")).toMatchObject({ status: 403, body: refusal(403, pattern) });
    expect(emulator.state({ secrets: true })).toEqual(before);
  });

  test("a role with the permission is enough", async () => {
    await control(emulator.url, "PUT", "/state/roles", { id: 399, name: "one", permissions: [permission] });
    await control(emulator.url, "PUT", "/state/groups", { id: 205, name: "operators", roles: [399] });
    expect((await as("operator")).status).toBe(200);
  });

  test("an emulator without extended operations does not have it", async () => {
    expect((await send(plain.url, plain.tokens.admin, call)).status).toBe(404);
  });
});

test("another account's records are not found", async () => {
  for (const [operation, call] of table)
    if (/^(commands\.|package\.listP|folders\.(view|move)|whitelist\.delete|hive\.(table$|part))/.test(operation))
      expect((await send(emulator.url, emulator.tokens.otherAdmin, call)).status, operation).toBe(404);
});

test("some extended operations can be chosen; specified ones stay as they are", async () => {
  await using own = await emulate({ extended: ["commands.status"] });
  const add = { method: "POST", path: `${v}/whitelist_ip`, body: { ip_cidr: "192.0.2.1", description: "x" } } as const;
  expect((await send(own.url, own.tokens.admin, add)).status).toBe(422);
  await send(own.url, own.tokens.admin, { method: "POST", path: `${v}/commands`, body: spark });
  expect((await send(own.url, own.tokens.admin, table[0]![1])).status).toBe(200);
  expect((await send(own.url, own.tokens.admin, table[2]![1])).status).toBe(404);
});

test("the OpenAPI document has each operation once, and says which answers are text", async () => {
  const { body } = await control(emulator.url, "GET", "/openapi.json");
  expect(body.paths[`${v}/object_policy/policy`].put.summary).toContain("environment");
  const content = body.paths[`${v}/commands/{id}/logs`].get.responses[200].content;
  expect(Object.keys(content)).toEqual(["text/plain"]);
});
