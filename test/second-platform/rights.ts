import { Refusal } from "./answers";
import type { User } from "./model";
import type { Call, Need } from "./operation";
import type { World } from "./world";

/** The user of a token. */
export function authenticate(world: World, token: string | undefined): User {
  const user = token ? world.data.users.find((candidate) => candidate.token === token) : undefined;
  if (!user || !world.passed(user.tokenDelay)) throw new Refusal("unauthenticated", "invalid or missing token");
  return user;
}

/** Group membership and roles are looked up at each call, so role changes take effect at once. */
export function allowed(call: Call, need: Need): boolean {
  const { data } = call.world;
  const groups = data.groups.filter((group) => call.user.groups.includes(group.id));
  if (groups.some((group) => (need.builtIn as readonly string[]).includes(group.name))) return true;
  const roles = groups.flatMap((group) => group.roles);
  return data.roles.some((role) => roles.includes(role.id) && role.permissions.includes(need.permission));
}

/** The matching object of the caller's account. */
export function pick<T extends { accountId: number }>(
  call: Call,
  things: readonly T[],
  fits: (thing: T) => boolean,
  what: string,
): T {
  const own = things.find((thing) => fits(thing) && thing.accountId === call.user.accountId);
  if (!own) throw new Refusal("missing", `${what} not found`);
  return own;
}
