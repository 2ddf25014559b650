import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { type Call, control, emulate, goodCalls, putEntry, send } from "./calls";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await emulate();
});
beforeEach(async () => {
  emulator.reset();
  await putEntry(emulator.url);
});
afterAll(() => emulator.close());

const call = (path: string, body?: unknown, method: Call["method"] = "GET", token = emulator.tokens.admin) =>
  send(emulator.url, token, { method, path, body });

const account = (id = 1001) => emulator.state({ secrets: true }).accounts.find((known) => known.id === id)!;

describe("folders", () => {
  test("rename moves the folder and its content", async () => {
    const body = { name: "papers", folder_id: "701", location: "Common/reports", type: "notes" };
    expect((await call("/api/v1.2/folders/rename", body, "PUT")).status).toBe(200);
    expect(
      account()
        .folders.map(({ location }) => location)
        .slice(0, 2),
    ).toEqual(["Common/papers", "Common/papers/weekly"]);
    expect(account().folders[0]?.name).toBe("papers");
  });

  test("policy is stored", async () => {
    const elements = [{ access: "deny" }, { access: "allow", action: ["write"], condition: { svc_groups: [204] } }];
    const body = { location: "Common/reports", source_type: "Folder", type: "notes", policy: JSON.stringify(elements) };
    expect((await call("/api/v1.2/folders/policy", body, "PUT")).status).toBe(200);
    expect(account().folders[0]?.policy).toEqual(elements);
  });
});

describe("accounts", () => {
  test("view shows the token's account; keys and role only if it has them", async () => {
    expect((await call("/api/v1.2/account/")).body).toMatchObject({
      id: 1001,
      storage_secret_key: "analytics-storage-secret",
    });
    const other = await call("/api/v1.2/account/", undefined, "GET", emulator.tokens.otherAdmin);
    expect(other.body).toMatchObject({ id: 1002, is_aws_role_enabled: true, external_id: "research-external-id" });
  });

  test.each(["account.create", "account.createV2"])("%s returns a token of the new account", async (operation) => {
    const { body } = await send(emulator.url, emulator.tokens.user, goodCalls[operation]!);
    expect(body).toMatchObject({ state: "success_create", status: "success", groups: ["system-admin", "everyone"] });
    const token = body.authentication_token;
    expect((await call("/api/v1.2/account", undefined, "GET", token)).body).toMatchObject({
      id: body.account_id,
      storage_access_key: "k",
      storage_secret_key: "s",
      // Part 2.4: a key that was not given is a text too.
      compute_access_key: "",
      storage_location: "",
    });
    expect((await call("/api/v1.2/whitelist_ip", { ip_cidr: "192.0.2.1" }, "POST", token)).status).toBe(200);
    expect((await call("/api/v1.2/hive/default", undefined, "GET", token)).body).toEqual([]);
    expect(account(body.account_id).whitelist).toHaveLength(1);
    expect(account().whitelist).toHaveLength(1);
  });

  test.each(["108", "pending1@analytics.example.com", "PENDING1@analytics.example.com"])(
    "enable user %s",
    async (svc_user_id) => {
      const emails = async (path: string) => (await call(path)).body.users.map(({ email }: { email: string }) => email);
      const before = await emails("/api/v1.2/accounts/get_users");
      expect(before).not.toContain("pending1@analytics.example.com");
      expect(await emails("/api/v1.2/accounts/get_pending_users")).toContain("pending1@analytics.example.com");
      expect((await call("/api/v1.2/account", undefined, "GET", "analytics-pending-1")).status).toBe(401);
      expect((await call("/api/v1.2/accounts/enable_svc_user", { svc_user_id }, "POST")).status).toBe(200);
      expect(await emails("/api/v1.2/accounts/get_users")).toContain("pending1@analytics.example.com");
      expect(await emails("/api/v1.2/accounts/get_pending_users")).toEqual(["pending2@analytics.example.com"]);
      expect((await call("/api/v1.2/account", undefined, "GET", "analytics-pending-1")).status).toBe(403);
    },
  );

  test("a disabled user is listed as disabled, and enabled by id", async () => {
    const entry = async () =>
      (await call("/api/v1.2/accounts/get_users")).body.users.find((user: { id: number }) => user.id === 107);
    expect(await entry()).toMatchObject({ disabled: true, user_id: 17 });
    await call("/api/v1.2/accounts/enable_svc_user", { svc_user_id: "107" }, "POST");
    expect(await entry()).toMatchObject({ disabled: false });
  });
});

describe("group roles", () => {
  test("a role assigned twice is assigned once; unassigning removes it", async () => {
    const roles = () => account().groups.find(({ id }) => id === 205)?.roles;
    const change = (role: string, what: string) => call(`/api/v1.2/groups/205/roles/${role}/${what}`, {}, "PUT");
    for (const role of ["301", "analyst", "account-editor"])
      expect((await change(role, "assign")).body).toEqual({ status: "done" });
    expect(roles()).toEqual([301, 302]);
    await change("analyst", "unassign");
    await change("301", "unassign");
    expect(roles()).toEqual([302]);
  });

  test("an assigned role grants its permissions, and no more", async () => {
    const operator = (path: string) => call(path, undefined, "GET", emulator.tokens.operator);
    expect((await operator("/api/v1.2/whitelist_ip")).status).toBe(403);
    await call("/api/v1.2/groups/205/roles/account-editor/assign", {}, "PUT");
    expect((await operator("/api/v1.2/whitelist_ip")).status).toBe(200);
    expect((await operator("/api/v1.2/commands")).status).toBe(403);
    await call("/api/v1.2/groups/205/roles/302/unassign", {}, "PUT");
    expect((await operator("/api/v1.2/whitelist_ip")).status).toBe(403);
  });
});

describe("object policies", () => {
  const view = (source_type: string, source_id: string) =>
    call("/api/v1.2/object_policy/policy", { source_type, source_id });

  test.each([
    ["note", "501"],
    ["cluster", "511"],
    ["scheduler", "521"],
  ])("set and view %s", async (source_type, source_id) => {
    const policy = [
      { access: "allow", action: ["read", "update"], condition: { svc_users: [102] } },
      { access: "deny", action: ["all"], condition: { svc_users: [102], svc_groups: [204] } },
    ];
    const body = { source_id, source_type, policy: JSON.stringify(policy) };
    expect((await call("/api/v1.2/object_policy/policy", body, "PUT")).status).toBe(200);
    expect((await view(source_type, source_id)).body).toEqual({ source_id, source_type, policy });
  });

  test("view can return an encoded string", async () => {
    await control(emulator.url, "POST", "/settings", { viewPolicyAs: "string" });
    const { body } = await view("note", "501");
    expect(JSON.parse(body.policy)).toHaveLength(1);
  });
});
