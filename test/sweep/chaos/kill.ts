import type { Emulator } from "../../../emulator";
import { request } from "../../harness/http";
import type { Program } from "../../harness/stack";
import { everyType, type Mismatch, Model } from "./model";
import { Random } from "./random";
import type { Driver, Failure } from "./small-engine";
import { type Facts, observe, token } from "./world";

/** What happened when a process was killed at one call, and after the following runs. */
export interface KillReport {
  /** The API operation of the call. */
  readonly operation: string;
  /** The resource whose work was interrupted. */
  readonly type: string;
  /** What the user reads, in the killed run and in those after it. */
  readonly told: readonly string[];
  /** Differences between platform and model, after the next successful `up` and after removing everything. */
  readonly afterUp: readonly Mismatch[];
  readonly afterRemoval: readonly Mismatch[];
}

/** How many kills each type had, and how many of them ended exactly: after the next `up`, and after the removal. */
export function perType(reports: readonly KillReport[]): Record<string, [kills: number, up: number, removal: number]> {
  const types = [...new Set(reports.map(({ type }) => type))];
  return Object.fromEntries(
    types.map((name) => {
      const mine = reports.filter(({ type }) => type === name);
      const exact = (when: "afterUp" | "afterRemoval") => mine.filter((report) => report[when].length === 0).length;
      return [name, [mine.length, exact("afterUp"), exact("afterRemoval")]];
    }),
  );
}

/** The two programs of a kill test: the run from the first to the second creates, changes and removes every type. */
export function twoPrograms(
  seed: number,
  facts: Facts,
  extended = false,
): { model: Model; before: Program; after: Program } {
  const model = new Model(new Random(seed), everyType(3), facts, { addressesPerList: 3, extended });
  // Slot 0 is removed, slot 1 changes, slot 2 is created.
  const before = model.step((slot) => (slot < 2 ? "declare" : "leave"));
  const after = model.step((slot) => (slot === 0 ? "remove" : "declare"));
  return { model, before, after };
}

/** Brings the killed stack to the second program, following the errors' advice; then removes everything. */
export async function recover(driver: Driver, emulator: Emulator, model: Model) {
  const told: string[] = [];
  const failures = await converge(driver, emulator, model, told);
  if (failures.length > 0) throw new Error(`did not converge: ${JSON.stringify(failures)}`);
  const afterUp = model.mismatches(observe(emulator));
  model.empty();
  const left = await converge(driver, emulator, model, told);
  if (left.length > 0) throw new Error(`could not remove everything: ${JSON.stringify(left)}`);
  return { told: [...new Set(told)], afterUp, afterRemoval: model.mismatches(observe(emulator)) };
}

async function converge(driver: Driver, emulator: Emulator, model: Model, told: string[]): Promise<Failure[]> {
  let failures: Failure[] = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    failures = await driver.up(model.program);
    told.push(...failures.map(({ name, message }) => `${name}: ${message}`), ...hints(driver.said()));
    if (failures.length === 0) return [];
    for (const { name, message } of failures) {
      if (message.includes("is already whitelisted")) model.amend(name, { adopt: true });
      const [, leftover] = /data store (\d+) for .* already exists/.exec(message) ?? [];
      // What a person would do in the user interface.
      if (leftover) await request(emulator, "DELETE", `/api/v1.2/db_taps/${leftover}`, undefined, token);
    }
  }
  return failures;
}

/** What the runs after a kill print about it. */
function hints(said: string): string[] {
  const lines = said.split("\n").map((line) => line.replace(/^.*warning: /, "").trim());
  return lines.filter((line) => /interrupted (while (creating|updating|deleting)|run)/.test(line));
}

/** The only differences that a kill may leave, by type, because the API makes more impossible. */
export const limits: Readonly<Record<string, { readonly afterUp?: RegExp; readonly afterRemoval?: RegExp }>> = {
  // The API can neither list nor tag them, so the next `up` creates a second one.
  Account: { afterUp: /^account /, afterRemoval: /^account / },
  DataStore: { afterUp: /^data store /, afterRemoval: /^data store / },
  Command: { afterUp: /^command /, afterRemoval: /^command / },
  // What the killed run added looks like an entry of others, which destroy keeps.
  IpWhitelist: { afterRemoval: /^whitelist / },
  // The policy found by the next `up` is the one that the killed run had set.
  ObjectPolicy: { afterRemoval: /^note / },
};

/** With the extended API a leftover is seen, and the error says what to do with it. */
const exactIfExtended = ["DataStore"];

/** Differences that no limit explains; there must be none. */
export function unexplained({ type, afterUp, afterRemoval }: KillReport, extended = false): Mismatch[] {
  const limit = extended && exactIfExtended.includes(type) ? undefined : limits[type];
  return [
    ...afterUp.filter(({ fact }) => !limit?.afterUp?.test(fact)),
    ...afterRemoval.filter(({ fact }) => !limit?.afterRemoval?.test(fact)),
  ];
}
