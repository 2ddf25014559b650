import type { PlatformState } from "./model";
import { accountIds } from "./seed";

/** What only the extended operations show: the system roles of each account, and a service user. */
export function seedExtended(data: PlatformState): void {
  const { own, other } = accountIds;
  for (const [accountId, first] of [
    [own, 91],
    [other, 95],
  ] as const) {
    const all = { resource: "all", action: ["all"], access: "allow" };
    const some = { resource: "command", action: ["all"], access: "allow" };
    const role = (id: number, name: string, policy: typeof all) =>
      data.roles.push({ id, accountId, name, permissions: [], policy: [policy], system: true });
    role(first, "system-admin", all);
    role(first + 1, "system-user", some);
    for (const group of data.groups.filter((one) => one.accountId === accountId)) {
      if (group.name === "system-admin") group.roles.push(first);
      if (group.name === "system-user") group.roles.push(first + 1);
    }
  }
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
