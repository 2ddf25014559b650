import { z } from "zod";
import { ApiError, invalid, notFound } from "./errors";
import type { RecordOf, User } from "./records";
import type { Context } from "./router";

/** What requests name by id or by name. */
type Named = "groups" | "roles";

const singular: Record<Named, string> = { groups: "group", roles: "role" };

/** A role or group may be named like another's id: the id goes first. */
function find<P extends Named>({ store, account }: Context, part: P, wanted: string): RecordOf<P> | undefined {
  return store.get(part, account.id, wanted) ?? store.list(part, account.id).find(({ name }) => name === wanted);
}

function required<T>(found: T | undefined, part: Named, wanted: string): T {
  if (found === undefined) throw notFound(`there is no ${singular[part]} ${wanted}`);
  return found;
}

export function recordById<P extends Named>({ store, account }: Context, part: P, id = ""): RecordOf<P> {
  return required(/^\d+$/.test(id) ? store.get(part, account.id, Number(id)) : undefined, part, id);
}

export function recordOf<P extends Named>(context: Context, part: P, wanted = ""): RecordOf<P> {
  return required(find(context, part, wanted), part, wanted);
}

/** By svc user id or e-mail address; upper and lower case are the same. */
export function findUser({ store, account }: Context, wanted: string): User | undefined {
  const text = wanted.toLowerCase();
  return store.list("users", account.id).find(({ id, email }) => String(id) === text || email.toLowerCase() === text);
}

/** Several of something: an array, or a string with commas. */
export const severalSchema = z.union([z.string(), z.array(z.union([z.string(), z.int()]))]);

type Several = z.infer<typeof severalSchema>;

/** The records that a parameter or path names, each once, however often and in whatever way it is named. */
function resolve<T>(several: Several, findOne: (wanted: string) => T | undefined, missing: (name: string) => ApiError) {
  const all = typeof several === "string" ? several.split(",") : several.map(String);
  const names = all.map((one) => one.trim()).filter((one) => one !== "");
  const found = names.map((name) => {
    const one = findOne(name);
    if (one === undefined) throw missing(name);
    return one;
  });
  return [...new Set(found)];
}

export function usersIn(context: Context, parameter: string, several: Several = []): User[] {
  return resolve(
    several,
    (name) => findUser(context, name),
    (name) => invalid(`${parameter}: this account has no user ${name}`),
  );
}

export function rolesIn(context: Context, parameter: string, several: Several = []): RecordOf<"roles">[] {
  return resolve(
    several,
    (name) => find(context, "roles", name),
    (name) => invalid(`${parameter}: this account has no role ${name}`),
  );
}

export function usersOfPath(context: Context, users = ""): User[] {
  const missing = (name: string) => notFound(`this account has no user ${name}; nothing was changed`);
  const found = resolve(users, (name) => findUser(context, name), missing);
  if (found.length === 0) throw missing(JSON.stringify(users));
  return found;
}

/** Names of groups and of roles are unique in the account. */
export function checkName({ store, account, readings }: Context, part: Named, name: string, own?: number): void {
  const taken = store.list(part, account.id).some((other) => other.name === name && other.id !== own);
  if (taken)
    throw new ApiError(Number(readings.nameTaken), `name: this account already has a ${singular[part]} ${name}`);
}
