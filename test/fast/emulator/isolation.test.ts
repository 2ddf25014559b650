import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { type Call, emulate, goodCalls, putEntry, send } from "./calls";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await emulate();
});
beforeEach(async () => {
  emulator.reset();
  await putEntry(emulator.url);
});
afterAll(() => emulator.close());

const other = (call: Call) => send(emulator.url, emulator.tokens.otherAdmin, call);
const first = () => emulator.state({ secrets: true, account: 1001 }).accounts[0];

test("lists only show the token's account", async () => {
  const { body } = await other(goodCalls["whitelist.list"]!);
  const owners = body.account_whitelisted_ips.map((entry: { account_id: number }) => entry.account_id);
  expect(owners).toEqual([1002, 1002]);
  expect((await other(goodCalls["hive.list"]!)).body).toEqual(["samples"]);
  const users = (await other(goodCalls["accounts.getUsers"]!)).body.users;
  expect(users.every(({ email }: { email: string }) => email.endsWith("@research.example.com"))).toBe(true);
  await send(emulator.url, emulator.tokens.admin, goodCalls["commands.submit"]!);
  const history = { method: "GET" as const, path: "/api/v1.2/commands?all_users=1" };
  expect((await other(history)).body.commands).toEqual([]);
});

test.each([
  "whitelist.delete",
  "package.add",
  "package.remove",
  "folders.rename",
  "folders.policy",
  "accounts.enableUser",
  "groups.assignRole",
  "groups.unassignRole",
  "objectPolicy.set",
  "objectPolicy.view",
])("%s cannot reach another account", async (operation) => {
  const before = first();
  expect((await other(goodCalls[operation]!)).status).toBe(404);
  expect(first()).toEqual(before);
});

test("a role of one account cannot be assigned to a group of another", async () => {
  const call: Call = { method: "PUT", path: "/api/v1.2/groups/254/roles/301/assign", body: {} };
  expect((await other(call)).status).toBe(404);
});

test("a sensor only sees the tables of its account", async () => {
  expect((await other(goodCalls["partitionSensor.create"]!)).status).toBe(422);
});

test("the same address may be whitelisted in two accounts", async () => {
  expect((await other(goodCalls["whitelist.add"]!)).status).toBe(200);
  expect((await send(emulator.url, emulator.tokens.admin, goodCalls["whitelist.add"]!)).status).toBe(200);
});
