import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type ExtendedLife, replace, same, update } from "../harness/lifecycle";

export const policyOf = (state: EmulatorState, id = 701): unknown =>
  accountIn(state).folders.find((folder) => folder.id === id)!.policy;
export const setPolicy = (emulator: Emulator, policy: unknown, location = "Common/reports"): Promise<void> =>
  request(emulator, "PUT", "/api/v1.2/folders/policy", {
    location,
    source_type: "Folder",
    type: "notes",
    policy: JSON.stringify(policy),
  });

export const args = { type: "notes", location: "Common/reports", group: 204, allow: ["read"] };
export const ours = { access: "allow", action: ["read"], condition: { svc_groups: [204] } };
export const theirs = { access: "allow", action: ["write"], condition: { svc_users: [102] } };
export const id = "notes/Common/reports/group:204";

/** A folder that no other resource of the same stack manages. */
const own = { ...args, location: "Common/reports/weekly" };

export const extended: ExtendedLife = {
  type: "FolderGrant",
  args: own,
  prepare: (emulator) => setPolicy(emulator, [theirs], own.location),
  present: (state, shownId) => {
    expect(policyOf(state, 702)).toEqual([theirs, ours]);
    expect(shownId).toBe("notes/Common/reports/weekly/group:204");
  },
  bad: [
    [{ ...own, group: undefined }, "user", "is missing, and so is group"],
    [{ ...own, user: 104 }, "group", "is set together with user"],
    [{ ...own, allow: undefined }, "allow", "is missing, and so is deny"],
    [{ ...own, deny: ["read"] }, "deny", "lists read, which allow lists too"],
    [{ ...own, allow: [""] }, "allow[0]", "is empty; expected an action"],
    [{ ...own, location: "" }, "location", "is empty"],
  ],
  absent: (state) => expect([policyOf(state, 702), policyOf(state, 704)]).toEqual([[theirs], []]),
  drift: { make: (emulator) => setPolicy(emulator, [theirs, { ...ours, action: ["read", "write"] }], own.location) },
  disappear: (emulator) => setPolicy(emulator, [theirs], own.location),
  changes: [
    same("the id as text", { ...own, group: "204" }),
    update("other actions", { ...own, allow: ["read", "write"] }, (state) =>
      expect(policyOf(state, 702)).toEqual([theirs, { ...ours, action: ["read", "write"] }]),
    ),
    replace(
      "another folder",
      { type: "notebook_dashboards", location: "Common/boards", group: 204, deny: ["write"] },
      (state) => {
        const denied = { ...ours, access: "deny", action: ["write"] };
        expect([policyOf(state, 702), policyOf(state, 704)]).toEqual([[theirs], [denied]]);
      },
    ),
  ],
};
