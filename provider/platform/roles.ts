import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { attempt, lookFor, required } from "../core/extended";
import { answeredId, type Id, sameId } from "../values/id";
import { answeredRolePolicy } from "../values/role-policy";
import { recordIn } from "./entries";
import { foundByName, type Listing, sharedListing } from "./listing";
import { Directory, isNumeric } from "./references";
import { type Kind, type Written, writeOne } from "./write-one";

const text = z.string().nullish().catch(undefined);

/** A role, in a list or in the response to a request. Only the id is required. */
export const roleRecord = z.object({
  id: z.union([z.number(), z.string().min(1)]),
  name: text,
  source: text,
  account_id: answeredId.catch(undefined),
  policy: answeredRolePolicy.optional(),
  policies: answeredRolePolicy.optional(),
});
export type RoleRecord = z.output<typeof roleRecord>;

export const rolesOf = sharedListing(extendedOperations.listRoles, "roles", roleRecord);

/** They are in every account, and cannot be changed. */
export const systemRoles: readonly string[] = ["system-admin", "system-user"];

export function isSystemRole({ source, name }: Pick<RoleRecord, "source" | "name">): boolean {
  return source === "system" || systemRoles.includes(name ?? "");
}

/** By its id, else by its name. */
export function findRole(listing: Listing<RoleRecord>, idOrName: Id): RoleRecord | undefined {
  return (
    listing.records.find(({ id }) => sameId(id, idOrName)) ??
    listing.find(({ name }) => (name ?? "") === String(idOrName))
  );
}

/** By id or name. */
export async function lookForRole(context: Context, role: Id): Promise<RoleRecord | "gone" | "unknown"> {
  const { api } = context;
  const { listRoles, viewRole } = extendedOperations;
  // Only an id can be viewed.
  if (!isNumeric(role)) {
    const listed = await attempt(context, listRoles, () => rolesOf(api).fresh());
    return foundByName(listed?.result, (listing) => findRole(listing, role));
  }
  return lookFor(context, {
    view: viewRole,
    read: () => api.call(viewRole, { path: { role }, answer: recordIn(roleRecord) }),
    list: listRoles,
    find: async () => findRole(await rolesOf(api).fresh(), role),
  });
}

/** The roles of the account; empty if the installation cannot list them. */
export async function roleDirectory(context: Context): Promise<Directory> {
  const listed = await attempt(context, extendedOperations.listRoles, () => rolesOf(context.api).fresh());
  return new Directory((listed?.result.records ?? []).map(({ id, name }) => ({ id, name: name ?? undefined })));
}

/** Creates a role that the list did not show before. If the response is lost, or shows no role, the list tells its id. */
export async function createRole({ api }: Context, name: string, policies: string): Promise<RoleRecord | undefined> {
  const listing = rolesOf(api);
  const { createRole: operation } = extendedOperations;
  const find = async () => {
    listing.written();
    return (await listing.fresh()).find((role) => role.name === name);
  };
  const answer = await listing.writing(() =>
    required(operation, () =>
      api.callOnce(operation, { body: { name, policies }, answer: anyAnswer, looks: maxLookups, lookUp: find }),
    ),
  );
  return recordIn(roleRecord).safeParse(answer).data ?? (await find().catch(() => undefined));
}
/** The list may show a new role with a delay. */
const maxLookups = 4;

const roles: Kind = { lookFor: lookForRole, lists: [rolesOf] };

/** Fields that are absent stay as they are. */
export function updateRole(
  context: Context,
  role: string,
  body: { readonly name?: string; readonly policies?: string },
): Promise<Written> {
  const { updateRole: operation } = extendedOperations;
  const put = () => context.api.call(operation, { path: { role }, body, answer: anyAnswer });
  return writeOne(context, roles, role, operation, put);
}

export function deleteRole(context: Context, role: string): Promise<Written> {
  const { deleteRole: operation } = extendedOperations;
  const remove = () => context.api.call(operation, { path: { role }, answer: anyAnswer });
  return writeOne(context, roles, role, operation, remove);
}
