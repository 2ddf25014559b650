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
  const isEmpty = (list: unknown) => (Array.isArray(list) ? list.length === 0 : (list ?? undefined) === undefined);
  if (whitelist?.exclusive !== true || !isEmpty(whitelist.keep) || !isEmpty(whitelist.wayBackIn)) return [];
  const reason =
    "is required with exclusive, which removes every address that is not listed; give an address that is always yours, such as the VPN's";
  return [{ property: "whitelist.wayBackIn", reason }];
}

function groupProblems({ groups = {} }: TeamEnvironmentInputs): CheckFailure[] {
  return Object.entries(groups).flatMap(([name, { id, roles = [], ...others }]) => {
    if (id === undefined) return [];
    const misplaced = (["name", "adopt"] as const).filter((key) => others[key] !== undefined);
    const repeated = new Set(roles.filter((role, index) => roles.indexOf(role) !== index));
    const ofRoles = [
      ...(roles.every((role) => typeof role === "string") ? [] : [mustBeKnown]),
      ...[...repeated].map((role) => `lists ${JSON.stringify(role)} twice; list each role once`),
    ];
    return [
      ...misplaced.map((key) => ({ property: `groups.${name}.${key}`, reason: isForNew })),
      ...ofRoles.map((reason) => ({ property: `groups.${name}.roles`, reason })),
    ];
  });
}

const isForNew = "is for a group that the environment creates, but id says that the group exists; remove one of them";
const mustBeKnown =
  "has an output or another value that is not text; write names, because they say which resources there are";

function policyProblems(args: TeamEnvironmentInputs, part: "objectPolicies" | "folderPolicies"): CheckFailure[] {
  return Object.entries(args[part] ?? {}).flatMap(([name, { policy, teamMay }]) => {
    if (policy === undefined && teamMay === undefined)
      return [{ property: `${part}.${name}.policy`, reason: "is required; give it, or teamMay for the usual policy" }];
    if (teamMay === undefined) return [];
    const reasons = policy === undefined ? teamProblems(args, part) : ["and policy are both set; use one of them"];
    return reasons.map((reason) => ({ property: `${part}.${name}.teamMay`, reason }));
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
    const reasons = after
      .filter((other) => !names.includes(other))
      .map((other) => `names the job ${JSON.stringify(other)}, which is not declared; jobs are ${names.join(", ")}`);
    if (reasons.length === 0 && jobsBefore(jobs, name).has(name))
      reasons.push(`makes ${name} wait for itself; break the circle`);
    return reasons.map((reason) => ({ property: `jobs.${name}.after`, reason }));
  });
}

/** All jobs that a job waits for, also through others. */
function jobsBefore(jobs: NonNullable<TeamEnvironmentInputs["jobs"]>, name: string): ReadonlySet<string> {
  const before = new Set(jobs[name]?.after);
  // What is added on the way is visited too.
  for (const one of before) for (const other of jobs[one]?.after ?? []) before.add(other);
  return before;
}
