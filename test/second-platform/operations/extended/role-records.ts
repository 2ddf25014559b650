import type { Role, RolePolicyElement } from "../../model";
import { policyOf } from "../../role-grants";
import type { World } from "../../world";

const written = ["create", "read", "update", "delete"];

/** A policy as the platform gives it back; some keep the text, others what they understood. */
function kept(world: World, policy: RolePolicyElement[]): unknown[] {
  switch (world.switches.rolePolicyKept) {
    case "names sorted":
      return policy.map((one) => Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))));
    case "actions sorted":
      return policy.map((one) => (one.action ? { ...one, action: one.action.toSorted() } : one));
    case "elements sorted":
      return policy.toSorted((a, b) => (a.resource < b.resource ? -1 : 1));
    case "all written out":
      return policy.map((one) => (one.action?.includes("all") ? { ...one, action: written } : one));
    case "ids added":
      return policy.map((one, index) => ({ id: 800 + index, ...one }));
    case "action as text when one":
      return policy.map((one) => (one.action?.length === 1 ? { ...one, action: one.action[0] } : one));
    default:
      return policy;
  }
}

function policyField(world: World, role: Role): Record<string, unknown> {
  const list = kept(world, structuredClone(policyOf(role)));
  const compact = JSON.stringify(list);
  const text =
    world.switches.rolePolicyKept === "with blanks" ? JSON.stringify(list, null, 1).replace(/\n */g, " ") : compact;
  return {
    "policy as JSON text": { policy: text },
    "policy as list": { policy: list },
    "policies as JSON text": { policies: text },
    "policies as list": { policies: list },
    "policy and policies": { policy: text, policies: list },
    "policy as text of text": { policy: JSON.stringify(text) },
    "policy as object": { policy: { policies: list } },
  }[world.switches.rolePolicy];
}

export function roleRecord(world: World, role: Role): Record<string, unknown> {
  const base = { id: role.id, name: role.name };
  const source = role.system ? "system" : "user-defined";
  const policy = policyField(world, role);
  const times = { created_at: world.stamp(world.now()), updated_at: world.stamp(world.now()) };
  return {
    "as on create": { ...base, source, ...policy, account_id: role.accountId },
    "times too": { ...base, source, ...policy, account_id: role.accountId, ...times },
    "id, name and policy only": { ...base, ...policy },
    "without account_id": { ...base, source, ...policy },
  }[world.switches.roleFields];
}
