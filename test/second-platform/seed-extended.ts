import type { PlatformState } from "./model";
import { accountIds } from "./seed";

/** Every account has two system roles, held by the groups of the same names. */
export function addSystemRoles(data: PlatformState, accountId: number, [admin, user]: readonly [number, number]): void {
  const role = (id: number, name: string, resource: string) => {
    const policy = [{ resource, action: ["all"], access: "allow" }];
    data.roles.push({ id, accountId, name, permissions: [], policy, system: true });
    data.groups.find((group) => group.accountId === accountId && group.name === name)?.roles.push(id);
  };
  role(admin, "system-admin", "all");
  role(user, "system-user", "command");
}

/** What only the extended operations show: the system roles of each account, and a service user. */
export function seedExtended(data: PlatformState): void {
  const { own, other } = accountIds;
  addSystemRoles(data, own, [91, 92]);
  addSystemRoles(data, other, [95, 96]);
  data.users.push({
    id: 22,
    userId: 1012,
    accountId: own,
    email: "etl.service@acme.example",
    name: "",
    state: "enabled",
    groups: [3],
    token: "second-token-service",
    userType: "service",
  });
  Object.assign(data.counters, { environment: 100, "package request": 100 });
}
