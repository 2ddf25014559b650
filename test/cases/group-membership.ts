import { expect } from "vitest";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type ExtendedLife, replace, same, update } from "../harness/lifecycle";

export const owner = "owner@analytics.example.com";
export const args = { group: "operators", users: ["104", owner] };

export const membersIn = (state: EmulatorState, group = 205) =>
  accountIn(state)
    .users.filter(({ groups }) => groups.includes(group))
    .map(({ id }) => id);

export const extended: ExtendedLife = {
  type: "GroupMembership",
  args,
  present: (state, id) => expect([id, membersIn(state)]).toEqual(["operators", [104, 105, 106]]),
  bad: [
    [{ ...args, group: ".." }, "group", "would change the URL path"],
    [{ ...args, users: ["104,106"] }, "users[0]", "a list; write each user by itself"],
  ],
  absent: (state) => expect([membersIn(state, 206), membersIn(state)]).toEqual([[], [105]]),
  drift: { make: (emulator) => request(emulator, "PUT", "/api/v1.2/groups/205/svc_users/106/remove", {}) },
  changes: [
    same("another order and case", { group: "operators", users: [owner.toUpperCase(), 104] }),
    update("other users", { group: "operators", users: ["analyst@analytics.example.com", "102"] }, (state) =>
      expect(membersIn(state)).toEqual([102, 104, 105]),
    ),
    replace(
      "the same group by its id: left first, so that they are members in the end",
      { group: 205, users: ["104", "102"] },
      (state) => expect(membersIn(state)).toEqual([102, 104, 105]),
    ),
    replace("another group", { group: 206, users: ["104"] }, (state) =>
      expect([membersIn(state), membersIn(state, 206)]).toEqual([[105], [104]]),
    ),
  ],
};
