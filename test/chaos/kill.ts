import type { Emulator } from "../../emulator";
import type { Program } from "../harness/stack";
import { everyType, type Mismatch, Model } from "./model";
import { Random } from "./random";
import type { Driver, Failure } from "./small-engine";
import { type Facts, observe } from "./world";

/** What happened when a process was killed at one call, and what the runs after it made of that. */
export interface KillReport {
  /** Which call of the `up`, and which operation of the API. */
  readonly call: number | string;
  readonly operation: string;
  /** The resource whose work was interrupted. */
  readonly type: string;
  readonly deed: "create" | "change" | "remove";
  /** What a user reads: in the run that was killed, and in those after it. */
  readonly told: readonly string[];
  /** Where the platform differs from the model: after the next successful `up`, and after everything was removed. */
  readonly afterUp: readonly Mismatch[];
  readonly afterRemoval: readonly Mismatch[];
}

/** The two programs of a kill test: the run from the first to the second creates, changes and removes every type. */
export function twoPrograms(seed: number, facts: Facts): { model: Model; before: Program; after: Program } {
  const model = new Model(new Random(seed), everyType(3), facts, { addressesPerList: 3 });
  // Place 0 is there and goes, place 1 is there and changes, place 2 comes.
  const before = model.step((slot) => (slot < 2 ? "declare" : "leave"));
  const after = model.step((slot) => (slot === 0 ? "remove" : "declare"));
  return { model, before, after };
}

/** What was being done to a resource of these programs, told by its name. */
export function interrupted(name: string): Pick<KillReport, "type" | "deed"> {
  const [type = "", slot] = name.split("-");
  return { type, deed: (["remove", "change", "create"] as const)[Number(slot)]! };
}

/** Brings the killed stack to the second program, as a user would who reads the errors; then removes everything. */
export async function recover(driver: Driver, emulator: Emulator, model: Model) {
  const told: string[] = [];
  const failures = await settle(driver, model, told);
  if (failures.length > 0) throw new Error(`did not converge: ${JSON.stringify(failures)}`);
  const afterUp = model.mismatches(observe(emulator));
  model.empty();
  const left = await settle(driver, model, told);
  if (left.length > 0) throw new Error(`could not remove everything: ${JSON.stringify(left)}`);
  return { told: [...new Set(told)], afterUp, afterRemoval: model.mismatches(observe(emulator)) };
}

async function settle(driver: Driver, model: Model, told: string[]): Promise<Failure[]> {
  let failures: Failure[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    failures = await driver.up(model.program);
    told.push(...failures.map(({ name, message }) => `${name}: ${message}`), ...hints(driver.said()));
    if (failures.length === 0) return [];
    for (const { name, message } of failures)
      if (message.includes("is already whitelisted")) model.amend(name, { adopt: true });
  }
  return failures;
}

/** What the runs after a kill say about it. */
function hints(said: string): string[] {
  const lines = said.split("\n").map((line) => line.replace(/^.*warning: /, "").trim());
  return lines.filter((line) => /interrupted (while (creating|updating|deleting)|run)/.test(line));
}

/** What the API makes impossible, by type: the only differences that a kill may leave. */
export const limits: Readonly<Record<string, { readonly afterUp?: RegExp; readonly afterRemoval?: RegExp }>> = {
  // The API cannot show them and gives no way to mark them: the next `up` makes a second one.
  Account: { afterUp: /^account /, afterRemoval: /^account / },
  DataStore: { afterUp: /^data store /, afterRemoval: /^data store / },
  Command: { afterUp: /^command /, afterRemoval: /^command / },
  // What the killed run added is taken for an entry of others, which destroy leaves.
  IpWhitelist: { afterRemoval: /^whitelist / },
  // The policy found by the next `up` is the one that the killed run had set.
  ObjectPolicy: { afterRemoval: /^note / },
};

/** Differences that no limit explains: there must be none. */
export function unexplained({ type, afterUp, afterRemoval }: KillReport): Mismatch[] {
  const limit = limits[type];
  return [
    ...afterUp.filter(({ fact }) => !limit?.afterUp?.test(fact)),
    ...afterRemoval.filter(({ fact }) => !limit?.afterRemoval?.test(fact)),
  ];
}
