import { accountIds, type Delay, group, type PlatformState } from "./state";
import type { Switches } from "./switches";

const hour = 3_600_000;

/** The state, together with the readings that apply to operations on it. */
export class World {
  constructor(
    readonly switches: Switches,
    readonly data: PlatformState,
    private ahead = 0,
  ) {}

  /** Advances the platform's clock without waiting. */
  advance(ms: number): void {
    this.ahead += ms;
  }

  /** The clock that delays use. */
  clock(): number {
    return Date.now() + this.ahead;
  }

  now(): number {
    const skew = { right: 0, "1 hour ahead": hour, "1 hour behind": -hour }[this.switches.serverClock];
    return this.clock() + skew;
  }

  /** How many there are of something, with one more. */
  count(what: string): number {
    const { counters } = this.data;
    counters[what] = (counters[what] ?? 0) + 1;
    return counters[what];
  }

  /** Identifiers are counted per kind; whitelist records per account, so that ids of two accounts coincide. */
  nextId(kind: string): number {
    const count = this.count(kind);
    return {
      small: count,
      "above 2^31": 2 ** 31 + count,
      "above 2^40": 2 ** 40 + count,
      "not rising": 1_000_000 - count,
    }[this.switches.newIds];
  }

  /** A new group's id. */
  addGroup(name: string, roles: number[] = [], accountId: number = accountIds.own): number {
    const id = this.nextId("group");
    this.data.groups.push(group(id, name, roles, accountId));
    return id;
  }

  delay(value: "at once" | "after 2 reads" | "after 1 second"): Delay {
    if (value === "after 2 reads") return { reads: 2, at: 0 };
    return { reads: 0, at: value === "at once" ? 0 : this.clock() + 1000 };
  }

  /** Whether a delayed change is visible in this read; each call counts as a read. */
  passed(delay: Delay | undefined): boolean {
    if (!delay) return true;
    if (delay.reads > 0) {
      delay.reads -= 1;
      return false;
    }
    return this.clock() >= delay.at;
  }

  stamp(ms: number): string {
    const iso = new Date(ms).toISOString();
    const seconds = iso.slice(0, 19);
    return {
      "seconds, Z": `${seconds}Z`,
      "milliseconds, Z": iso,
      "offset +00:00": `${seconds}+00:00`,
      "offset +0000": `${seconds}+0000`,
      "basic form": `${seconds.replace(/[-:]/g, "")}Z`,
    }[this.switches.timestamps];
  }
}
