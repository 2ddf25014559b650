import { normaliseIp } from "../../../provider/values/ip-address";
import type { PlatformState } from "../../second-platform";

/** The platform's content in all accounts as flat facts: the value of each thing, or how often it exists. */
export type Facts = ReadonlyMap<string, string>;

export function factsOf(state: PlatformState): Facts {
  const facts = new Map<string, string>();
  const count = (fact: string): void => void facts.set(fact, String(Number(facts.get(fact) ?? 0) + 1));
  for (const { accountId, ip, gone } of state.whitelist) if (!gone) count(`${accountId} address ${normaliseIp(ip)}`);
  for (const { accountId, name, commandType } of state.commands) count(`${accountId} command ${name ?? commandType}`);
  for (const { name } of state.accounts) count(`account ${name}`);
  for (const { accountId, name } of state.dataStores) count(`${accountId} data store ${name}`);
  for (const { accountId, id, name, roles } of state.groups.filter(
    (group) => !isCreatedByTest(state, group.accountId),
  )) {
    const members = state.users.filter(({ groups }) => groups.includes(id)).map((user) => user.id);
    const [memberText, roleText] = [members, roles].map((ids) => [...ids].sort((a, b) => a - b).join(" "));
    facts.set(`${accountId} group ${id} ${name}`, roleText!).set(`${accountId} members of ${id}`, memberText!);
  }
  for (const { accountId, type, id, policy } of state.objects)
    facts.set(`${accountId} ${type} ${id}`, policyText(policy));
  for (const { accountId, id, name, policy } of state.folders) {
    facts.set(`${accountId} folder ${id} name`, name);
    facts.set(`${accountId} folder ${id} policy`, policyText(policy));
  }
  for (const { accountId, id, state: status } of state.users)
    if (!isCreatedByTest(state, accountId)) facts.set(`${accountId} user ${id}`, status);
  for (const { accountId, id, packages } of state.environments)
    for (const { name, version, source } of packages)
      facts.set(`${accountId} ${source} ${id} ${name.toLowerCase().replace(/[-_.]+/g, "-")}`, version);
  return facts;
}

/** Accounts that the test created bring their own groups and users, which are not counted separately. */
function isCreatedByTest({ accounts }: PlatformState, accountId: number): boolean {
  return accounts.find(({ id }) => id === accountId)?.created !== null;
}

/** No policy equals an empty one, and the order of elements, actions and ids does not matter. */
export function policyText(policy: PlatformState["objects"][number]["policy"]): string {
  const sorted = (list: readonly (string | number)[] | undefined) =>
    list && list.length > 0 ? [...list].map(String).sort() : undefined;
  const elements = (policy ?? []).map(({ access, action, condition: { svc_users: users, svc_groups: groups } = {} }) =>
    JSON.stringify([access, sorted(action), { users: sorted(users), groups: sorted(groups) }]),
  );
  return elements.sort().join(" ");
}

/** The differences as text: `fact: before → after`. */
export function changes(before: Facts, after: Facts): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    return old === now ? [] : [`${name}: ${old ?? "absent"} → ${now ?? "absent"}`];
  });
}
