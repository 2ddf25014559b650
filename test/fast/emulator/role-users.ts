import { defaultSeed, type Seed } from "../../../emulator";
import { permissions } from "../../../emulator/permissions";

/** The default seed, plus two users per permission: one has only it, the other all but it. */
export function seedWithRoles(): Seed {
  const [first, ...others] = structuredClone(defaultSeed.accounts);
  for (const [index, permission] of permissions.entries())
    for (const [offset, granted] of [[permission], permissions.filter((other) => other !== permission)].entries()) {
      const id = 2000 + index * 2 + offset;
      first!.roles!.push({ id, name: `role-${id}`, permissions: [...granted] });
      first!.groups!.push({ id, name: `group-${id}`, roles: [id] });
      const alias = `${offset === 0 ? "only" : "allBut"} ${permission}`;
      first!.users!.push({ id, user_id: id, alias, email: `${id}@example.com`, token: `t-${id}`, groups: [id] });
    }
  return { accounts: [first!, ...others] };
}
