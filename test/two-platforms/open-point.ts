import type { Difference } from "./compare";
import type { Readers } from "./run";

export const areas = [
  "Requests in general",
  "IP whitelist",
  "Commands",
  "Command history",
  "Data stores",
  "Hive tables and partition sensors",
  "Package environments",
  "Folders and policies",
  "Accounts, users and roles",
] as const;

/** A point on which the two platforms answer differently, and why. */
export interface OpenPoint {
  readonly id: string;
  readonly area: (typeof areas)[number];
  readonly section: string;
  /** What the specification leaves open. */
  readonly open: string;
  readonly emulator: string;
  readonly second: string;
  /** Settings with which the two agree. Absent if neither has a switch. */
  readonly otherWay?: Readers & { readonly leaves?: Rest };
  /** If the specification does decide: its text, and which platform deviates. */
  readonly word?: { readonly says: string; readonly departs: "emulator" | "second platform" };
  /** How the provider copes. */
  readonly provider: string;
  readonly seen: readonly Seen[];
}

/** What still differs with those settings. */
interface Rest {
  readonly what: string;
  /** In which calls. Even if the statuses differ, both must reject or both must accept. */
  readonly calls?: RegExp;
}

/** Differences that a point explains. */
export interface Seen {
  readonly calls: RegExp;
  readonly at: RegExp;
  /** The answers of the emulator and the second platform, if needed to distinguish the point from others. */
  readonly answers?: readonly [string, string];
}

/** The two return different statuses. */
export const status = (calls: RegExp, emulator: number, second: number): Seen => ({
  calls,
  at: /^HTTP status$/,
  answers: [String(emulator), String(second)],
});

/** The two succeed, and their answers or effects differ at this place. */
export const at = (place: RegExp, calls = /./, answers?: readonly [string, string]): Seen => ({
  calls,
  at: place,
  ...(answers && { answers }),
});

export function explains({ seen }: OpenPoint, difference: Difference): boolean {
  return seen.some(
    ({ calls, at: place, answers }) =>
      calls.test(difference.call) &&
      place.test(difference.at) &&
      (!answers || (answers[0] === difference.emulator && answers[1] === difference.second)),
  );
}
