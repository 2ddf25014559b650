import { expect } from "vitest";
import { secretOutputs } from "../../../provider/core/function-run";
import { functionNamed } from "../../../provider/functions";
import { grantIn } from "../../../provider/values/grant";
import { answeredPolicy, encodePolicy } from "../../../provider/values/policy";
import { answers } from "../../harness/emulators";
import { failureOf } from "../../harness/in-process";
import { type Claims, call, lifeOf, refuses, requestsOf, sentFor, warningsOf } from "./provider";

const folder = { folderId: "701", type: "notes", name: "archive", location: "Common/reports" };
const ofFolder = (...policy: readonly object[]) => ({ type: "notes", location: "Common/reports", policy });
const everyone = { svcGroups: [203] };

/** The sections "Folders and policies", and "Accounts, users and roles". */
export const access: Claims = {
  "An update reports either, and sends nothing more; after a 404 the next `pulumi up` looks where a rename may have moved the folder. A create that is answered 404 asks once more, where its own rename would have put the folder":
    async (on) => {
      const { id, state } = await lifeOf(on, "Folder").life.create(folder);
      for (const status of [404, 422]) {
        answers(on, "folders.rename", status, { error: { error_code: status, error_message: "not there" } });
        const sent = await requestsOf(on, async () => {
          const update = lifeOf(on, "Folder").life.update(id, state, { ...folder, name: "other" });
          if (status === 422) return expect(update).rejects.toThrow(/not there/);
          const { existing } = await failureOf(update);
          expect(existing.state).toMatchObject({ name: "archive", currentLocation: "Common/other" });
        });
        expect(sent.filter(({ operation }) => operation === "folders.rename")).toHaveLength(1);
        const created = await requestsOf(on, () =>
          expect(lifeOf(on, "Folder").life.create({ ...folder, name: "other" })).rejects.toThrow(/not there/),
        );
        const locations = created.flatMap(({ body }) => (body as { location?: string } | null)?.location ?? []);
        expect(locations).toEqual(["Common/reports", ...(status === 404 ? ["Common/other"] : [])]);
      }
    },

  "Sends the location as the program writes it": async (on) => {
    answers(on, "folders.rename", 200);
    expect(await sentFor(on, "Folder", { ...folder, location: "/Common/reports/" })).toMatchObject({
      location: "/Common/reports/",
    });
  },

  "Refuses a slash in the name of a folder at preview": () => refuses("Folder", folder, { name: "a/b" }),

  "Sends any action, and an element without one; warns of actions not seen in use, and of an empty list": async (
    on,
  ) => {
    const odd = ofFolder(
      { access: "allow", action: ["fly"], condition: everyone },
      { access: "allow", action: [], condition: everyone },
      { access: "deny", condition: everyone },
    );
    const warnings = warningsOf(on, "FolderPolicy", odd);
    expect(warnings).toMatch(/policy\[1\]\.action is empty/);
    expect(warnings).toMatch(/the action "fly"/);
    answers(on, "folders.policy", 200);
    const { policy } = await sentFor(on, "FolderPolicy", odd);
    expect(JSON.parse(String(policy)).map(({ action }: { action?: string[] }) => action)).toEqual([
      ["fly"],
      [],
      undefined,
    ]);
  },

  "Refuses other fields at preview; keeps those of a policy that destroy puts back; a grant takes names beside ids for the platform's own, any other condition for a limit":
    () => {
      refuses(
        "FolderPolicy",
        ofFolder({ access: "deny" }),
        ofFolder({ access: "deny", note: "x" }),
        ofFolder({ access: "deny", condition: { ...everyone, note: "x" } }),
      );
      const found = [{ access: "deny", note: "x", condition: { svc_groups: [203], note: "y" } }];
      expect(JSON.parse(encodePolicy(answeredPolicy.parse(found)!))).toEqual(found);
      const shown = (more: object) =>
        answeredPolicy.parse([{ access: "deny", action: ["all"], condition: { svc_groups: [203], ...more } }])!;
      expect(grantIn(shown({ svc_group_names: ["analysts"] }), { group: 203 })).toEqual({ group: 203, deny: ["all"] });
      expect(grantIn(shown({ ip_range: ["10.0.0.0/8"] }), { group: 203 })).toBeUndefined();
    },

  "Reads a list or JSON text, bare or wrapped; an empty answer in any form means no policy": () => {
    const elements = [{ access: "deny", action: ["all"] }];
    for (const view of [elements, JSON.stringify(elements), { policy: elements }, { policy: JSON.stringify(elements) }])
      expect(answeredPolicy.parse(view)).toEqual(elements);
    const nothing = [null, undefined, {}, [], "", "[]", { policy: null }, { policy: "" }, { policy: {} }];
    for (const view of [...nothing, { object_policy: { policy: [] } }])
      expect(answeredPolicy.parse(view) ?? [], JSON.stringify(view)).toEqual([]);
  },

  "Always sends `idle_session_timeout`; `null` leaves the state as it is": async (on) => {
    const { account } = (await sentFor(on, "Account", { name: "Blue" })) as { account: object };
    expect(account).toHaveProperty("idle_session_timeout", 1440);
    const { life } = lifeOf(on, "Account");
    const { id, state } = await life.create(life.check({ name: "Red", idleSessionTimeout: 480 }).inputs);
    answers(on, "account.view", 200, { id: Number(id), name: "Red", idle_session_timeout: null });
    expect((await life.read(id, state))?.state).toMatchObject({ idleSessionTimeout: 480 });
  },

  "Requires an `idleSessionTimeout` of at least 1 at preview": () =>
    refuses("Account", { name: "Blue" }, { idleSessionTimeout: 0 }),

  "Sends the names of the version it calls": async (on) => {
    const keysSent = async (apiVersion: string) => {
      const given = { name: "Blue", apiVersion, storageAccessKey: "a", storageSecretKey: "b" };
      const { account } = (await sentFor(on, "Account", given)) as { account: object };
      return Object.keys(account).filter((name) => /acc_key|secret|storage_.*key/.test(name));
    };
    expect(await keysSent("v2")).toEqual(["storage_access_key", "storage_secret_key"]);
    expect(await keysSent("v1.2")).toEqual(["acc_key", "secret"]);
  },

  "Reads `disabled`, `is_enabled`, `status` or `disabled_at`; a listed user without any counts as enabled": async (
    on,
  ) => {
    const states = [{ disabled: true }, { is_enabled: false }, { status: "disabled" }, { disabled_at: "2026-01-01" }];
    for (const state of states) {
      answers(on, "accounts.getUsers", 200, { users: [{ id: 107, ...state }] });
      await expect(call(on, "getUsers")).resolves.toMatchObject({ users: [{ disabled: true }] });
    }
    answers(on, "accounts.getUsers", 200, { users: [{ id: 107, user_id: 17, email: "ana@example.com" }] });
    const read = lifeOf(on, "EnabledUser").life.read("107", { svcUserId: "107" });
    await expect(read).resolves.toMatchObject({ id: "107" });
  },

  "Returns name, state and groups where they are shown; tokens only with `includeTokens`, as a secret": async (on) => {
    const shown = (await call(on, "getUsers")) as { users: object[] };
    expect(shown.users[0]).toEqual({
      ...{
        id: 101,
        userId: 11,
        email: "admin@analytics.example.com",
        name: "Ada Admin",
        disabled: false,
        isAdmin: true,
      },
      groups: ["system-admin", "everyone"],
    });
    expect(secretOutputs(functionNamed("getUsers")!, shown)).toEqual([]);
    expect(JSON.stringify(shown)).not.toContain("analytics-admin");
    const withTokens = await call(on, "getUsers", { includeTokens: true });
    expect(JSON.stringify(withTokens)).toContain("analytics-admin");
    expect(secretOutputs(functionNamed("getUsers")!, withTokens)).toEqual(["authenticationTokens"]);
  },

  "Finds the list of users under any name": async (on) => {
    const users = [{ id: 108, user_id: 18, email: "bo@example.com" }];
    for (const answer of [users, { users }, { pending_users: users }, { waiting: users }]) {
      answers(on, "accounts.getPendingUsers", 200, answer);
      expect(await call(on, "getPendingUsers")).toMatchObject({ users: [{ id: 108 }] });
    }
  },

  "Sends an address as the program spells it; ignores case when it compares": async (on) => {
    const svcUserId = "Pending1@Analytics.example.com";
    expect(await sentFor(on, "EnabledUser", { svcUserId })).toEqual({ svc_user_id: svcUserId });
    const read = lifeOf(on, "EnabledUser").life.read(svcUserId, { svcUserId });
    await expect(read).resolves.toMatchObject({ state: { email: svcUserId.toLowerCase() } });
  },

  "Sends `{}` with every role change": async (on) =>
    expect(await sentFor(on, "GroupRoleAssignment", { groupId: 204, role: "analyst" })).toEqual({}),

  "Reports the 403 with the rights that are needed": async (on) => {
    answers(on, "folders.policy", 403);
    await expect(lifeOf(on, "FolderPolicy").life.create(ofFolder({ access: "deny" }))).rejects.toThrow(
      /403.*a user with manage permission on folders/s,
    );
  },

  "`getAccount` leaves out what is empty or `null`; refresh does not read keys and location": async (on) => {
    const { life } = lifeOf(on, "Account");
    const { id, state } = await life.create(life.check({ name: "Red", defloc: "s3://red/logs" }).inputs);
    const view = { id: Number(id), name: "Red", storage_access_key: "", compute_secret_key: null };
    answers(on, "account.view", 200, view);
    expect(await call(on, "getAccount")).toEqual({ id: Number(id), name: "Red" });
    answers(on, "account.view", 200, { ...view, storage_access_key: "other", storage_location: "s3://other" });
    expect((await life.read(id, state))?.state).toEqual(state);
  },
};
