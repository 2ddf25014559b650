import { isDeepStrictEqual } from "node:util";
import type { Program } from "../../harness/stack";
import type { Weather } from "./slow-platform";
import type { Failure, UpOptions } from "./small-engine";

/** One `up`, for who wants to know what happened. */
export interface Tried {
  readonly options: UpOptions;
  readonly program: Program;
  readonly weather: Weather;
  readonly sent: readonly string[];
  readonly failures: readonly Failure[];
  readonly said: string;
}

interface Happened {
  readonly seed: number;
  readonly extended: boolean;
  readonly step: string;
  readonly last: Program;
  /** Each `up` of the step. */
  readonly runs: readonly Tried[];
  readonly notes: readonly string[];
  readonly broken: readonly string[];
}

/** What a developer must know of a step that did not end as promised. */
export function reportOf({ seed, extended, step, last, runs, notes, broken }: Happened): string {
  const lines = (program: Program, other: Program) =>
    Object.entries(program).map(
      ([name, spec]) =>
        `  ${isDeepStrictEqual(other[name], spec) ? " " : "*"} ${name}: ${spec.type} ${JSON.stringify(spec.args)} ${JSON.stringify(spec.opts?.["dependsOn"] ?? [])}`,
    );
  const tries = runs.flatMap(({ options, weather, program, sent, failures, said }, index) => [
    `up ${index + 1}${index > 0 && program !== runs[0]!.program ? ", perhaps with another program" : ""}: ${JSON.stringify(options)}, ${JSON.stringify({ ...weather, refused: weather.refused?.source })}`,
    ...sent.map((one) => `    ${one}`),
    ...failures.map(({ name, message }) => `  failed: ${name}: ${message}`),
    ...said
      .split("\n")
      .filter(Boolean)
      .map((one) => `  said: ${one.slice(0, 300)}`),
  ]);
  const next = runs.at(-1)!.program;
  return [
    `CHAOS_SEED=${seed}${extended ? ", with the extended API" : ""}, ${step}:`,
    ...broken.map((one) => `- ${one}`),
    ...notes,
    "before (* is changed or removed):",
    ...lines(last, next),
    "after (* is changed or new):",
    ...lines(next, last),
    ...tries,
  ].join("\n");
}
