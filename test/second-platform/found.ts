import type { Account, User } from "./model";
import type { World } from "./world";

function addGroup(world: World, accountId: number, name: string, roles: number[] = []): number {
  const id = world.nextId("group");
  world.data.groups.push({ id, accountId, name, roles });
  return id;
}

/** Sets up a new account: its built-in groups and its creator as administrator. */
export function foundAccount(world: World, account: Account, creator: User): User {
  const admins = addGroup(world, account.id, "system-admin");
  addGroup(world, account.id, "system-user");
  const everyone = addGroup(world, account.id, "everyone");
  const user: User = {
    id: world.nextId("user"),
    userId: creator.userId,
    accountId: account.id,
    email: creator.email,
    name: creator.name,
    state: "enabled",
    groups: [admins, everyone],
    token: `second-token-of-account-${account.id}`,
  };
  world.data.accounts.push(account);
  world.data.users.push(user);
  return user;
}

/** Adds a user whose only permissions come from one role with exactly these. */
export function addUserWith(world: World, accountId: number, permissions: readonly string[]): User {
  const role = world.nextId("role");
  const id = world.nextId("user");
  world.data.roles.push({ id: role, accountId, name: `made-role-${role}`, permissions: [...permissions] });
  const user: User = {
    id,
    userId: 100_000 + id,
    accountId,
    email: `made-user-${id}@acme.example`,
    name: `Made User ${id}`,
    state: "enabled",
    groups: [addGroup(world, accountId, `made-group-${id}`, [role])],
    token: `second-token-made-${id}`,
  };
  world.data.users.push(user);
  return user;
}
