import type { CheckFailure } from "../core/check";
import { defaultInNewAccount, type Part, parts, type TeamEnvironmentInputs } from "./inputs";

/** The rules of a team's environment across its parts. `check.ts` applies them. Values may be unknown. */

export function problemsIn(args: TeamEnvironmentInputs): CheckFailure[] {
  return [
    ...nameProblems(args),
    ...accountProblems(args),
    ...whitelistProblems(args),
    ...groupProblems(args),
    ...policyProblems(args, "objectPolicies"),
    ...policyProblems(args, "folderPolicies"),
    ...jobProblems(args),
  ];
}

/** Whether a part goes into the account that the environment creates. */
export function isInNewAccount(
  {
    account,
    inNewAccount = defaultInNewAccount,
  }: { readonly account?: unknown; readonly inNewAccount?: readonly string[] | undefined },
  part: string,
): boolean {
  return account !== undefined && inNewAccount.includes(part);
}

const partName = /^[A-Za-z0-9_][A-Za-z0-9_-]*$/;

/** They become part of resource names and of property paths. */
function nameProblems(args: TeamEnvironmentInputs): CheckFailure[] {
  return parts
    .filter((part) => part !== "whitelist")
    .flatMap((part) => Object.keys(args[part] ?? {}).map((name) => ({ part, name })))
    .filter(({ name }) => !partName.test(name))
    .map(({ part, name }) => ({
      property: part,
      reason: `has the name ${JSON.stringify(name)}; use letters, digits, - and _ only`,
    }));
}

function accountProblems({ account, inNewAccount }: TeamEnvironmentInputs): CheckFailure[] {
  if (!inNewAccount || account !== undefined) return [];
  return [{ property: "inNewAccount", reason: "is set, but there is no new account; add account, or remove it" }];
}

function whitelistProblems({ whitelist }: TeamEnvironmentInputs): CheckFailure[] {
  if (whitelist?.exclusive !== true || !isEmpty(whitelist.keep) || !isEmpty(whitelist.wayBackIn)) return [];
  const reason =
    "is required with exclusive, which removes every address that is not listed; give an address that is always yours, such as the VPN's";
  return [{ property: "whitelist.wayBackIn", reason }];
}

function isEmpty(list: unknown): boolean {
  return list === undefined || list === null || (Array.isArray(list) && list.length === 0);
}

function groupProblems({ groups = {} }: TeamEnvironmentInputs): CheckFailure[] {
  return Object.entries(groups).flatMap(([name, { id, roles, ...others }]) => {
    if (id === undefined) return [];
    const property = `groups.${name}`;
    const misplaced = (["name", "adopt"] as const).filter((key) => others[key] !== undefined);
    return [
      ...misplaced.map((key) => ({
        property: `${property}.${key}`,
        reason: "is for a group that the environment creates, but id says that the group exists; remove one of them",
      })),
      ...unnamed(roles ?? []).map(() => ({ property: `${property}.roles`, reason: mustBeKnown })),
      ...repeated(roles ?? []).map((role) => ({
        property: `${property}.roles`,
        reason: `lists ${JSON.stringify(role)} twice; list each role once`,
      })),
    ];
  });
}

const mustBeKnown =
  "has an output or another value that is not text; write names, because they say which resources there are";

function unnamed(names: readonly unknown[]): unknown[] {
  return names.filter((name) => typeof name !== "string").slice(0, 1);
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

function policyProblems(args: TeamEnvironmentInputs, part: "objectPolicies" | "folderPolicies"): CheckFailure[] {
  return Object.entries(args[part] ?? {}).flatMap(([name, { policy, teamMay }]) => {
    const property = `${part}.${name}`;
    if (policy !== undefined && teamMay !== undefined)
      return [{ property: `${property}.teamMay`, reason: "and policy are both set; use one of them" }];
    if (policy === undefined && teamMay === undefined)
      return [{ property: `${property}.policy`, reason: "is required; give it, or teamMay for the usual policy" }];
    if (teamMay === undefined) return [];
    return teamProblems(args, part).map((reason) => ({ property: `${property}.teamMay`, reason }));
  });
}

/** `teamMay` is about the groups of the environment, which must be in the account of the policy. */
function teamProblems(args: TeamEnvironmentInputs, part: Part): string[] {
  if (Object.keys(args.groups ?? {}).length === 0)
    return ["is about the groups of the environment, and there are none; add groups, or use policy"];
  if (isInNewAccount(args, "groups") === isInNewAccount(args, part)) return [];
  return [
    `is about groups in another account: inNewAccount names only one of groups and ${part}; name both, or neither`,
  ];
}

function jobProblems({ jobs = {} }: TeamEnvironmentInputs): CheckFailure[] {
  const names = Object.keys(jobs);
  return Object.entries(jobs).flatMap(([name, { after = [] }]) => {
    const property = `jobs.${name}.after`;
    const unknown = after.filter((other) => !names.includes(other));
    if (unknown.length > 0)
      return unknown.map((other) => ({
        property,
        reason: `names the job ${JSON.stringify(other)}, which is not declared; jobs are ${names.join(", ")}`,
      }));
    if (!waitsForItself(jobs, name)) return [];
    return [{ property, reason: `makes ${name} wait for itself; break the circle` }];
  });
}

function waitsForItself(jobs: NonNullable<TeamEnvironmentInputs["jobs"]>, name: string): boolean {
  const seen = new Set<string>();
  const open = [...(jobs[name]?.after ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === name) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(jobs[next]?.after ?? []));
  }
  return false;
}
