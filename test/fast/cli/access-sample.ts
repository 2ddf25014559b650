import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Account, reportOf } from "../../../cli/access/assemble";
import { examine, type Question } from "../../../cli/access/examine";
import { type Plan, planIn } from "../../../cli/access/plan";
import type { AccessReport, ChangeReport, ObjectReport } from "../../../cli/access/report";
import { objectNamed } from "../../../cli/access/target";
import type { StateResource } from "../../../cli/pulumi/stack";
import type { Emulator } from "../../../emulator";
import { encodePolicy, type Policy } from "../../../provider/values/policy";
import type { PlainPolicy } from "../../../sdk/explain";
import { setPolicy } from "../../cases/object-grant";
import { ownFolder } from "../../harness/folders";
import { configOf, quiet, resource } from "./stacks";

/** Gives note 501 this policy behind the stack's back. */
export const setNote = (on: Emulator, policy: readonly object[]): Promise<void> =>
  setPolicy(on, JSON.parse(encodePolicy(policy as Policy)));

export const allow = (action: string[], condition: object) => ({ access: "allow", action, condition });
export const deny = (action: string[], condition: object) => ({ access: "deny", action, condition });

/** The resource that sets the policy of a note, by default 501, and one that grants something on note 501. */
export const note = (policy: unknown, more: object = {}, id = "501", outputs: object = {}) => {
  const inputs = { sourceType: "note", sourceId: id, policy, ...more };
  return resource("ObjectPolicy", "churn", `note/${id}`, inputs, { outputs: { ...inputs, ...outputs } });
};
export const grant = (inputs: object, name = "g") =>
  resource("ObjectGrant", name, "note/501/user:104", { sourceType: "note", sourceId: "501", ...inputs });

/** The report about a state and a plan, against an emulator. */
export function accessOf(
  emulator: Emulator,
  question: Partial<Question>,
  more: Readonly<Record<string, string>> = {},
  token = "admin",
): Promise<AccessReport> {
  const stack = { project: "shop", stack: "dev", state: [], config: configOf(emulator, token, more) };
  return examine({ ...stack, ...question }, { progress: quiet(), tool: "test" });
}

const listed = { listed: true, groupsKnown: true, decided: new Set<number>() };
const policyOf = (...elements: unknown[]) => ({ elements: elements as PlainPolicy, from: "platform" as const });
const itemOf = (object: string) => ({ target: objectNamed(object), provider: undefined, declared: [], steps: [] });

/** The report about one account. */
function reportAbout(account: Pick<Account, "directory" | "examined">, plan?: Plan): AccessReport {
  const accounts = [{ address: "https://api.example.com", notes: [], ...account }];
  return reportOf({ project: "shop", stack: "dev", plan }, { tool: "test", notes: [], accounts });
}

/** Users 1 to `users`, each in one of ten groups; notes 1 to `objects`, whose policies name some of both. */
export function bigReport(users: number, objects: number): AccessReport {
  const groups = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, name: `group-${index + 1}` }));
  const everybody = Array.from({ length: users }, (_, index) => ({
    id: index + 1,
    email: `user${index + 1}@example.com`,
    groups: [((index + 1) % 10) + 1],
    ...listed,
  }));
  const examined = Array.from({ length: objects }, (_, index) => {
    const policy = policyOf(
      allow(["read"], { svcGroups: [(index % 10) + 1, ((index + 3) % 10) + 1] }),
      allow(["all"], { svcUsers: Array.from({ length: 20 }, (_, place) => ((index * 7 + place * 13) % users) + 1) }),
      deny(["delete"], { svcGroups: [((index + 5) % 10) + 1] }),
    );
    return { item: itemOf(`note/${index + 1}`), before: policy, after: policy, notes: [] };
  });
  return reportAbout({ directory: { users: everybody, groups }, examined });
}

export interface Step {
  readonly op: string;
  readonly oldState?: StateResource;
  readonly newState?: StateResource;
}

/** A plan as `pulumi preview --json` prints it. */
export function planOf(state: StateResource[], ...steps: Step[]): Plan {
  const file = join(ownFolder(), "plan.json");
  const all = steps.map((step) => ({ urn: (step.newState ?? step.oldState)!.urn, ...step }));
  writeFileSync(file, JSON.stringify({ steps: all, changeSummary: {} }));
  return planIn(file, state);
}

/** A plan shows no id and no outputs of what it creates. */
const without = ({ id: _, outputs: __, ...rest }: StateResource): StateResource => rest;
export const create = (made: StateResource, op = "create"): Step => ({ op, newState: without(made) });
export const update = (oldState: StateResource, made: StateResource): Step => ({ ...create(made, "update"), oldState });
export const remove = (oldState: StateResource, op = "delete"): Step => ({ op, oldState });

/** The report about a state and the steps of a plan. */
export const planned = (emulator: Emulator, state: StateResource[], steps: readonly Step[], more: object = {}) =>
  accessOf(emulator, { state, plan: planOf(state, ...steps), ...more });

/** The verdicts about one user: `{ read: "allowed", … }`. */
export function verdictsOf({ access }: ObjectReport, user: number) {
  const row = access.find(({ users }) => users.includes(user));
  return Object.fromEntries(Object.entries(row!.verdicts).map(([action, { verdict }]) => [action, verdict]));
}

/** The changes as `104 gains delete on note/501`. */
export function lines(changes: readonly ChangeReport[] = []): string[] {
  return changes.flatMap(({ users, groups, change, action, object, reason }) => {
    if (change === "unknown") return [`${object}: ${reason}`];
    return [
      ...users.map((user) => `${user} ${change} ${action} on ${object}`),
      ...groups.map((group) => `members of ${group} ${change} ${action} on ${object}`),
    ];
  });
}

/** Two users and two notes; a plan gives the analysts delete on one of them, and takes read from user 105. */
export function changedReport(): AccessReport {
  const users = [
    { id: 104, email: "ana@example.com", name: "Ana", groups: [203, 204], ...listed },
    { id: 105, email: "otto@example.com", disabled: true, groups: [203], ...listed },
  ];
  const groups = [
    { id: 203, name: "everyone" },
    { id: 204, name: "analysts" },
  ];
  const everyoneReads = allow(["read"], { svcGroups: [203] });
  const plain = policyOf(everyoneReads);
  const after = policyOf(everyoneReads, allow(["delete"], { svcGroups: [204] }), deny(["read"], { svcUsers: [105] }));
  const examined = [
    { item: itemOf("note/501"), before: plain, after, notes: [] },
    { item: itemOf("note/502"), before: plain, after: plain, notes: ["a note"] },
  ];
  return reportAbout({ directory: { users, groups }, examined }, { steps: [], untouched: [] });
}
