import { expect } from "vitest";
import { request } from "../harness/http";
import { accountIn, type EmulatorState, type ExtendedLife, same, update } from "../harness/lifecycle";

export const policies = [
  { access: "allow", resource: "command", action: ["create", "read"] },
  { access: "allow", resource: "note", action: ["read"] },
];
export const encoded = [
  { resource: "command", action: ["create", "read"], access: "allow" },
  { resource: "note", action: ["read"], access: "allow" },
];
export const args = { name: "reporter", policies };
const withPolicy = (element: object) => ({ ...args, policies: [element] });

const rolesIn = (state: EmulatorState) => accountIn(state).roles;
export const roleIn = (state: EmulatorState, name: string) => rolesIn(state).find((one) => one.name === name);

export const extended: ExtendedLife = {
  type: "Role",
  args,
  present: (state, id) => {
    expect(roleIn(state, "reporter")).toMatchObject({ policies: encoded });
    expect(String(roleIn(state, "reporter")?.id)).toBe(id);
  },
  bad: [
    [{ ...args, name: "" }, "name", "is empty"],
    [{ ...args, name: "301" }, "name", "which the API reads as an id"],
    [{ ...args, name: "system-admin" }, "name", "a system role, which cannot be changed"],
    [withPolicy({ access: "allow", resource: "note", action: [""] }), "policies[0].action[0]", "is empty"],
    [withPolicy({ access: "allow", resource: "note", actions: ["all"] }), "policies[0].actions", "did you mean action"],
  ],
  absent: (state) => expect(rolesIn(state).filter(({ source }) => source === "user-defined")).toEqual([]),
  drift: {
    make: (emulator) => {
      const { id } = roleIn(emulator.state(), "reporter")!;
      return request(emulator, "PUT", `/api/v1.2/roles/${id}`, { policies: "[]" });
    },
  },
  disappear: (emulator, id) => request(emulator, "DELETE", `/api/v1.2/roles/${id}`),
  changes: [
    same("elements and actions in another order", {
      name: "reporter",
      policies: [policies[1], { ...policies[0], action: ["read", "create"] }],
    }),
    update(
      "another name and other policies",
      { name: "author", policies: [{ access: "allow", resource: "note", action: ["all"] }] },
      (state) => {
        expect(roleIn(state, "reporter")).toBeUndefined();
        expect(roleIn(state, "author")?.policies).toEqual([{ resource: "note", action: ["all"], access: "allow" }]);
      },
    ),
  ],
};
