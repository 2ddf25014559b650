import { expect } from "vitest";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type ExtendedLife, same, update } from "../harness/lifecycle";

export const owner = "owner@analytics.example.com";
export const args = { name: "reviewers", members: ["104", owner], roles: ["analyst", 303] };

export const groupIn = (state: EmulatorState, name = "reviewers") =>
  accountIn(state).groups.find((one) => one.name === name);
export const membersIn = (state: EmulatorState, name = "reviewers") =>
  accountIn(state)
    .users.filter(({ groups }) => groups.includes(groupIn(state, name)?.id ?? 0))
    .map(({ id }) => id);

export const extended: ExtendedLife = {
  type: "Group",
  args,
  present: (state, id) => {
    const { roles, ...it } = groupIn(state)!;
    expect([String(it.id), roles.toSorted(), membersIn(state)]).toEqual([id, [301, 303], [104, 106]]);
  },
  bad: [
    [{ ...args, name: "204" }, "name", "which the API reads as an id"],
    [{ ...args, name: "everyone" }, "name", "a system group, which cannot be changed"],
    [{ ...args, members: ["104,106"] }, "members[0]", 'is "104,106", a list; write each user by itself'],
    [{ ...args, members: [""] }, "members[0]", "is empty"],
    [{ ...args, roles: [".."] }, "roles[0]", "would change the URL path"],
    [{ ...args, roles: [0] }, "roles[0]", "must be a positive integer"],
  ],
  absent: (state) => {
    expect(groupIn(state, "auditors")).toBeUndefined();
    expect(accountIn(state).groups.filter(({ id }) => id < 211)).toHaveLength(6);
  },
  drift: {
    make: async (emulator) => {
      await request(emulator, "PUT", "/api/v1.2/groups/reviewers/svc_users/104/remove", {});
      await request(emulator, "PUT", "/api/v1.2/groups/reviewers/svc_users/101/add", {});
    },
  },
  disappear: (emulator, id) => request(emulator, "DELETE", `/api/v1.2/groups/${id}`),
  changes: [
    same("the same in another order", { ...args, members: [owner.toUpperCase(), 104], roles: ["303", "analyst"] }),
    update(
      "another name, other members and roles",
      { name: "auditors", members: ["analyst@analytics.example.com", "102"], roles: ["data-engineer"] },
      (state) => {
        expect(groupIn(state)).toBeUndefined();
        expect([groupIn(state, "auditors")?.roles, membersIn(state, "auditors")]).toEqual([[303], [102, 104]]);
      },
    ),
  ],
  imported: {
    name: "auditors",
    members: ["analyst@analytics.example.com", "user@analytics.example.com"],
    roles: ["data-engineer"],
  },
};
