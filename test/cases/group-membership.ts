import { expect } from "vitest";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type ExtendedLife } from "../harness/lifecycle";

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
    {
      what: "another order and case",
      args: { group: "operators", users: [owner.toUpperCase(), 104] },
      expect: "same",
    },
    {
      what: "other users",
      args: { group: "operators", users: ["analyst@analytics.example.com", "102"] },
      expect: "update",
      after: (state) => expect(membersIn(state)).toEqual([102, 104, 105]),
    },
    {
      what: "the same group by its id: left first, so that they are members in the end",
      args: { group: 205, users: ["104", "102"] },
      expect: "replace",
      after: (state) => expect(membersIn(state)).toEqual([102, 104, 105]),
    },
    {
      what: "another group",
      args: { group: 206, users: ["104"] },
      expect: "replace",
      after: (state) => expect([membersIn(state), membersIn(state, 206)]).toEqual([[105], [104]]),
    },
  ],
};
