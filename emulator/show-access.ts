import { z } from "zod";
import type { RecordOf } from "./records";
import { policyFor } from "./role-policy";

type Group = RecordOf<"groups">;
type Role = RecordOf<"roles">;

const systemGroups: readonly string[] = ["system-admin", "system-user", "everyone"];

export const isSystemGroup = ({ name }: Group) => systemGroups.includes(name);

export const isSystemRole = ({ source }: Role) => source === "system";

/** A system group has the system role of its name, and like any group those that were assigned. */
export const hasRole = (group: Group, role: Role) =>
  group.roles.includes(role.id) || (isSystemRole(role) && role.name === group.name);

export const groupEntry = z.object({ id: z.int(), name: z.string(), source: z.enum(["system", "user-defined"]) });

export const showGroup = (group: Group): z.infer<typeof groupEntry> => ({
  id: group.id,
  name: group.name,
  source: isSystemGroup(group) ? "system" : "user-defined",
});

export const roleEntry = groupEntry.extend({
  policy: z.string().describe("JSON-encoded array of {resource, action, access}"),
  account_id: z.int(),
});

/** A role as the answer to its creation shows it. */
export const showRole = (accountId: number, role: Role): z.infer<typeof roleEntry> => ({
  id: role.id,
  name: role.name,
  source: role.source ?? "user-defined",
  policy: JSON.stringify(role.policies ?? policyFor(role.permissions)),
  account_id: accountId,
});
