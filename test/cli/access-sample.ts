import { expect } from "vitest";
import { examine, type Question } from "../../cli/access/examine";
import type { AccessReport, ChangeReport, ObjectReport } from "../../cli/access/report";
import type { StackConfig } from "../../cli/pulumi/stack";
import { StatusLine } from "../../cli/terminal/status-line";
import type { Emulator } from "../../emulator";
import type { PlainPolicy } from "../../sdk/explain";

export type Elements = PlainPolicy;

export const allow = (action: string[], condition: object) => ({ access: "allow", action, condition });
export const deny = (action: string[], condition: object) => ({ access: "deny", action, condition });

export function configOf(
  emulator: Emulator,
  more: Readonly<Record<string, string>> = {},
  token = "admin",
): StackConfig {
  const settings = { baseUrl: emulator.url, apiToken: emulator.tokens[token] ?? token, retries: "0", ...more };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dataplatform:${name}`, { value }]));
}

/** The report about a state and a plan, against an emulator. */
export function accessOf(
  emulator: Emulator,
  question: Partial<Question>,
  more: Readonly<Record<string, string>> = {},
  token = "admin",
): Promise<AccessReport> {
  const progress = new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });
  const stack = { project: "shop", stack: "dev", state: [], config: configOf(emulator, more, token) };
  return examine({ ...stack, ...question }, { progress, tool: "test" });
}

/** The verdicts about one user: `{ read: "allowed", … }`. */
export function verdictsOf({ access, after }: ObjectReport, user: number, when: "now" | "after" = "now") {
  const rows = when === "now" ? access : after!.access;
  const row = rows.find(({ users }) => users.includes(user));
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
