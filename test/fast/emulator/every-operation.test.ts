import { describe, expect, test } from "vitest";
import { defaultSeed, type Emulator, type Seed } from "../../../emulator";
import { extendedRoutes } from "../../../emulator/extended";
import { permissions } from "../../../emulator/permissions";
import { routes } from "../../../emulator/routes";
import { sharedEmulator } from "../../harness/emulators";
import {
  callOf,
  dataStore,
  extendedRows,
  onlyAdmins,
  putEntry,
  refusal,
  send,
  spark,
  specifiedRows,
  testEmulator,
} from "./calls";

const specified = new Set(specifiedRows.map(([operation]) => operation));

/**
 * What another account's token gets: 404 if the path names something of the first account, else 200. Here are those whose
 * body names it.
 */
const fromOutside: Record<string, number> = {
  "partitionSensor.create": 422,
  "groups.create": 422,
  "hive.tablesWithViews": 200, // the schema default, which every account has
  ...{ "folders.rename": 404, "folders.policy": 404, "folders.viewPolicy": 404, "folders.move": 404 },
  ...{ "objectPolicy.set": 404, "objectPolicy.view": 404, "accounts.enableUser": 404, "accounts.disableUser": 404 },
};

async function prepare(emulator: Emulator): Promise<void> {
  await putEntry(emulator.url);
  for (const [path, body] of Object.entries({ db_taps: dataStore, commands: spark }))
    await send(emulator.url, emulator.tokens.admin, { method: "POST", path: `/api/v1.2/${path}`, body });
  emulator.advance(60);
}

/** The default seed, plus two users per permission: one has only it, the other all but it. */
function seedWithRoles(): Seed {
  const [first, ...others] = structuredClone(defaultSeed.accounts);
  for (const [index, permission] of permissions.entries())
    for (const [offset, granted] of [[permission], permissions.filter((other) => other !== permission)].entries()) {
      const id = 2000 + index * 2 + offset;
      first!.roles!.push({ id, name: `role-${id}`, permissions: [...granted] });
      first!.groups!.push({ id, name: `group-${id}`, roles: [id] });
      const alias = `${offset === 0 ? "only" : "allBut"} ${permission}`;
      first!.users!.push({ id, user_id: id, alias, email: `${id}@example.com`, token: `t-${id}`, groups: [id] });
    }
  return { accounts: [first!, ...others] };
}

const options = { clock: "manual", seed: seedWithRoles() } as const;
const additional = extendedRoutes.filter(({ operation }) => !specified.has(operation));

test.each([
  ["specified", specifiedRows, routes],
  ["extended", extendedRows, additional],
])("every %s operation has a row, and a name of its own", (_title, rows, served) => {
  expect(rows.map(([operation]) => operation).sort()).toEqual(served.map(({ operation }) => operation).sort());
});

describe.each([
  ["specified operations", specifiedRows, routes, options],
  ["extended operations", extendedRows, additional, { ...options, extended: true }],
])("%s", (_title, rows, served, started) => {
  const { emulator, as: sent } = testEmulator(started, prepare);
  const state = (account?: number) => emulator.state({ secrets: true, ...(account && { account }) });

  describe.each(rows)("%s", (...row) => {
    const [operation, , permission] = row;
    const good = callOf(row);
    const as = (alias: string) => sent(alias, good);

    test("system-admin gets the documented answer, with and without a final slash", async () => {
      const route = served.find((known) => known.operation === operation)!;
      for (const path of [good.path, `${good.path}/`]) {
        emulator.reset();
        await prepare(emulator);
        const reply = await sent("admin", { ...good, path });
        const type = route.textAnswer ? /^text\/plain/ : /^application\/json/;
        expect(reply).toMatchObject({ status: 200, headers: { "content-type": expect.stringMatching(type) } });
        route.answer.parse(reply.body);
        expect(emulator.requests(1).requests[0]?.operation).toBe(operation);
      }
    });

    test(`system-user ${onlyAdmins.includes(operation) ? "may not" : "may"}`, async () => {
      expect((await as("user")).status).toBe(onlyAdmins.includes(operation) ? 403 : 200);
    });

    test("the permission is necessary, as the error says, and sufficient; without it nothing changes", async () => {
      const before = state();
      const refused = refusal(403, new RegExp(`^${operation} is not allowed.*"${permission}"`));
      for (const alias of [`allBut ${permission}`, "powerless"])
        expect(await as(alias)).toMatchObject({ status: 403, body: refused });
      expect(state()).toEqual(before);
      expect((await as(`only ${permission}`)).status).toBe(200);
    });

    test("a token of an enabled user is necessary, and that of another account does not reach this one", async () => {
      const before = state(1001);
      for (const token of [undefined, "", "wrong", "analytics-disabled", "analytics-pending-1"])
        expect(await send(emulator.url, token, good)).toMatchObject({
          status: 401,
          body: refusal(401, /token|X-AUTH-TOKEN/i),
        });
      const { paths } = served.find((known) => known.operation === operation)!;
      expect((await as("otherAdmin")).status).toBe(fromOutside[operation] ?? (paths[0]!.includes("/:") ? 404 : 200));
      expect(state(1001)).toEqual(before);
    });
  });
});

describe.each([
  ["specified", sharedEmulator(), specifiedRows],
  ["extended", sharedEmulator({ extended: true }), [...specifiedRows, ...extendedRows]],
])("%s: a parameter that it does not have is refused, wherever it stands, before anything is done", (_, on, rows) => {
  test.each(rows)("%s", async (...row) => {
    const call = callOf(row);
    const before = on.state();
    const queried = { ...call, path: `${call.path}?misspelt=1` };
    const added = { ...call, body: { ...(call.body as object | undefined), misspelt: 1 } };
    for (const wrong of [queried, added]) {
      const { status, body } = await send(on.url, "analytics-admin", wrong);
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("misspelt")]);
      expect(on.state()).toEqual(before);
    }
  });
});

describe("an emulator without extended operations", () => {
  const plain = testEmulator({}, prepare);

  test("lists only show the token's account", async () => {
    const list = async (path: string) => (await plain.get(path, undefined, "otherAdmin")).body;
    const { account_whitelisted_ips } = await list("/whitelist_ip");
    expect(account_whitelisted_ips.map((entry: { account_id: number }) => entry.account_id)).toEqual([1002, 1002]);
    expect(await list("/hive/default")).toEqual(["samples"]);
    const { users } = await list("/accounts/get_users");
    expect(users.every(({ email }: { email: string }) => email.endsWith("@research.example.com"))).toBe(true);
    expect((await list("/commands?all_users=1")).commands).toEqual([]);
    expect((await plain.put("/groups/254/roles/301/assign", {}, "otherAdmin")).status, "a role of the other").toBe(404);
  });

  describe("permissions on a single object", () => {
    const setPolicy = (source_id: string, alias: string) =>
      plain.put("/object_policy/policy", { source_type: "note", source_id, policy: "[]" }, alias);
    const folder = (location: string, policy: unknown, alias = "owner") =>
      plain.put(
        "/folders/policy",
        { location, source_type: "Folder", type: "notes", policy: JSON.stringify(policy) },
        alias,
      );
    const manage = (access: string, condition: object) => ({ access, action: ["manage"], condition });

    test("the owner of an object may set its policy, but no other", async () => {
      expect((await setPolicy("501", "owner")).status).toBe(200);
      expect((await setPolicy("502", "owner")).status).toBe(403);
      expect((await setPolicy("502", "user")).status).toBe(200);
    });

    test("a user with manage permission on a folder may set its policy, until the policy removes that permission", async () => {
      const own = "Users/owner@analytics.example.com/private";
      const allowed = manage("allow", { svc_groups: [203] });
      expect((await folder("Common/reports", [])).status).toBe(403);
      expect((await folder(own, [allowed])).status).toBe(200);
      expect((await folder(own, [allowed, manage("deny", { svc_users: [106] })])).status).toBe(200);
      expect((await folder(own, [])).status).toBe(403);
    });

    test.each([
      ["all does not include manage", [{ access: "allow", action: ["all"], condition: { svc_users: [106] } }], 403],
      ["a group may manage", [manage("allow", { svc_groups: [203] })], 200],
      [
        "allowing a user overrides denying a group",
        [manage("deny", { svc_groups: [203] }), manage("allow", { svc_users: [106] })],
        200,
      ],
    ])("%s", async (_title, policy, status) => {
      await folder("Common/reports", policy, "admin");
      expect((await folder("Common/reports", [])).status).toBe(status);
    });
  });
});
