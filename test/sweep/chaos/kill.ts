import type { Emulator } from "../../../emulator";
import type { Program } from "../../harness/stack";
import { adopting, removeLeftover } from "./advice";
import { nothing, Programs, programOf } from "./programs";
import { factsOf, Promises } from "./promises";
import { Random } from "./random";
import type { Driver } from "./small-engine";
import { type Facts, ids } from "./world";

/** What happened when a process was killed at one call, and after the following runs. */
export interface KillReport {
  /** The API operation of the call. */
  readonly operation: string;
  /** What the user reads, in the killed run and in those after it. */
  readonly told: readonly string[];
  /** What is not as promised after the next successful `up`, and after removing everything. */
  readonly broken: readonly string[];
}

/** The two programs of a kill test: things move from the first to the second, and some are created. */
export function twoPrograms(seed: number, facts: Facts, extended = false): { before: Program; after: Program } {
  const programs = new Programs(new Random(seed), extended);
  const first = programs.next(nothing, facts);
  const created: Program = {
    "new-store": { type: "DataStore", args: { name: "new", dbHost: "h", dbName: "b", dbPasswd: "p" } },
    "new-packages": {
      type: "PackageSet",
      args: { envId: ids.environment(2), sourceType: "python_package", packages: ["zstd"] },
    },
  };
  return { before: programOf(first), after: { ...programOf(programs.next(first, facts)), ...created } };
}

/** Brings the killed stack to the second program, following the errors' advice; then removes everything. */
export async function recover(driver: Driver, emulator: Emulator, promises: Promises, after: Program, before: Facts) {
  const told: string[] = [];
  const run = async (wanted: Program): Promise<Program> => {
    let program = wanted;
    for (let attempt = 1; attempt <= 4; attempt++) {
      const failures = await driver.up(program, { refresh: attempt === 1 });
      told.push(...failures.map(({ name, message }) => `${name}: ${message}`), ...hints(driver.said()));
      if (failures.length === 0) return program;
      await removeLeftover(emulator, told.join("\n"));
      program = Object.fromEntries(Object.entries(program).map(([name, spec]) => [name, adopting(spec)]));
    }
    throw new Error(`did not converge: ${told.join("\n")}`);
  };
  const broken = (program: Program, isUnsure: boolean, from: Facts): string[] => {
    const ended = { before: from, after: factsOf(emulator), program, tried: [after], isUnsure, isRefreshed: true };
    return promises.broken(ended);
  };
  const afterUp = broken(await run(after), true, before);
  const full = factsOf(emulator);
  return { told: [...new Set(told)], broken: [...afterUp, ...broken(await run({}), false, full)] };
}

/** What is promised to a stack that has run the first program. */
export function promisesAfter(extended: boolean, found: Facts, program: Program, after: Facts): Promises {
  const promises = new Promises(extended, found);
  const ended = { before: found, after, program, tried: [], isUnsure: false, isRefreshed: false };
  const broken = promises.broken(ended);
  if (broken.length > 0) throw new Error(`the first program: ${broken.join("; ")}`);
  return promises;
}

/** What the runs after a kill print about it. */
function hints(said: string): string[] {
  const lines = said.split("\n").map((line) => line.replace(/^.*warning: /, "").trim());
  return lines.filter((line) => /interrupted (while (creating|updating|deleting)|run)/.test(line));
}
