import type { Emulator } from "../../../emulator";
import { normaliseIp } from "../../../provider/values/ip-address";
import { request } from "../../harness/http";
import type { Program } from "../../harness/stack";
import { email, foreignAddress } from "./places";
import { areas, type Draft, type Drafts, nothing, Programs, programOf } from "./programs";
import { factsOf, Promises } from "./promises";
import { Random } from "./random";
import { reportOf, type Tried } from "./report";
import { fairWeather, type SlowPlatform, type Weather } from "./slow-platform";
import type { Failure, Runner, UpOptions } from "./small-engine";
import { type Facts, homeOf, ids, token } from "./world";

export interface MovesOptions {
  readonly seed: number;
  readonly extended: boolean;
  readonly steps: number;
  /** Without kills and interrupts, which only the small engine can have. */
  readonly isGentle?: boolean;
}

const refusable = [
  /whitelist_ip .*203\.0\.113\.[15]/,
  /DELETE .*whitelist_ip/,
  /roles\/(30001|role 1.*)\/assign/,
  /roles\/(30002|role 2.*)\/unassign/,
  /add_packages .*polars/,
  /remove_packages .*dask/,
  /object_policy .*"50000"/,
  /folders\/policy .*team 1/,
  /svc_users\/.*\/(add|remove)/,
  /enable_svc_user .*(10001|user1)/,
  /POST .*\/(groups|roles) /,
  /PUT .*\/(groups|roles)\/\d+ /,
];

/**
 * Random programs, one after the other. After each `up` that succeeds the platform is what the program says, and what is
 * others' is there; what failed is reached by the next one; and a second `up` sends nothing. Returns what was not so.
 */
export class Moves {
  readonly #random: Random;
  readonly #programs: Programs;
  readonly #promises: Promises;
  #drafts: Drafts = nothing;
  #tried: Tried[] = [];
  /** Whether a run that failed was followed by one of another program. */
  #isAnother = false;
  #notes: string[] = [];
  ups = 0;
  failures = 0;

  private constructor(
    private readonly options: MovesOptions,
    private readonly platform: SlowPlatform,
    private readonly runner: Runner,
  ) {
    this.#random = new Random(options.seed * 7919 + (options.extended ? 1 : 0));
    this.#programs = new Programs(this.#random, options.extended);
    this.#promises = new Promises(options.extended, this.#facts);
  }

  static async start(options: MovesOptions, platform: SlowPlatform, runner: Runner): Promise<Moves> {
    const call = (method: string, path: string, body: object) =>
      request(platform.emulator, method, `/api/v1.2/${path}`, body, token);
    await call("POST", "whitelist_ip", { ip_cidr: foreignAddress });
    await call("PUT", `groups/${ids.group(0)}/roles/${ids.role(5)}/assign`, {});
    if (options.extended) await call("PUT", `groups/${ids.group(0)}/svc_users/${ids.user(4)}/add`, {});
    const closed = [
      { access: "allow", action: ["read"], condition: { svc_users: [60_000] } },
      { access: "allow", action: ["read"], condition: { svc_users: [ids.user(0)] } },
      { access: "deny", action: ["all"], condition: { svc_users: [ids.user(0)] } },
    ];
    await call("PUT", "object_policy/policy", {
      source_type: "note",
      source_id: String(ids.note(1)),
      policy: JSON.stringify(closed),
    });
    return new Moves(options, platform, runner);
  }

  /** Runs all steps, or until one of them ends otherwise than promised: what a developer must know of it. */
  async run(): Promise<string | undefined> {
    for (let step = 1; step <= this.options.steps + 1; step++) {
      const isLast = step > this.options.steps;
      const last = programOf(this.#drafts);
      const broken = await this.#step(isLast, step);
      if (broken.length > 0) {
        const { seed, extended } = this.options;
        const at = isLast ? "destroy" : `step ${step}`;
        return reportOf({ seed, extended, step: at, last, runs: this.#tried, notes: this.#notes, broken });
      }
    }
    return undefined;
  }

  get #facts(): Facts {
    return factsOf(this.platform.emulator);
  }

  async #step(isLast: boolean, step: number): Promise<string[]> {
    const last = programOf(this.#drafts);
    const drafts = isLast ? nothing : this.#programs.next(this.#drafts, this.#facts);
    const weather = isLast ? { ...fairWeather, lagMs: 100 } : this.#weather();
    this.#notes = [];
    if (!isLast && this.#random.chance(0.4)) await this.#interfere(step, last, programOf(drafts));
    const replaced = isLast ? undefined : this.#replaced(last, programOf(drafts));
    const options = { refresh: !isLast && this.#random.chance(0.15), replace: replaced };
    const before = this.#facts;
    const problem = await this.#converge(drafts, weather, options);
    const { program } = this.#tried.at(-1)!;
    const isUnsure = this.#tried.length > 1;
    const isRefreshed = this.#tried.some((one) => one.options.refresh);
    const tried = this.#tried.slice(0, -1).map((one) => one.program);
    if (problem) return [problem];
    const ended = { before, after: this.#facts, program, tried, isUnsure, replaced, isRefreshed };
    const broken = [...this.#promises.broken(ended), ...(await this.#wrongIds(program))];
    if (broken.length > 0 || !this.#random.chance(0.3)) return broken;
    return this.#again(program);
  }

  /** Runs `up` until it succeeds, as a user would: with what the errors advise, or with another program. */
  async #converge(first: Drafts, weather: Weather, options: UpOptions): Promise<string | undefined> {
    this.#tried = [];
    this.#isAnother = false;
    this.#drafts = first;
    for (let attempt = 1; attempt <= 5; attempt++) {
      const failures = await this.#up(
        attempt === 1 ? weather : this.#fairer(weather),
        attempt === 1 ? options : this.#retry(options),
      );
      if (failures.length === 0) return undefined;
      const text = failures.map(({ message }) => message).join("\n");
      const isAdvised = text.includes("adopt") || /data store \d+ .*already exists/.test(text);
      if (attempt === 1 && !isAdvised && !isFierce(weather)) return "up fails, and nothing was refused";
      await this.#follow(text);
      const others = areas.filter((area) => !["roles", "groups", "made"].includes(area) && this.#random.chance(0.3));
      if (attempt === 1 && !isAdvised && weather.killAfter === undefined && this.#random.chance(0.3)) {
        this.#drafts = this.#programs.next(this.#drafts, this.#facts, others);
        this.#isAnother = true;
      }
    }
    return "up fails again and again";
  }

  async #up(weather: Weather, options: UpOptions): Promise<Failure[]> {
    const program = programOf(this.#drafts);
    this.platform.begin(weather);
    const failures = await this.runner.up(program, options);
    this.#tried.push({ program, options, weather, failures, sent: this.platform.sent, said: this.runner.said() });
    this.ups++;
    this.failures += failures.length;
    return failures;
  }

  #fairer(weather: Weather): Weather {
    return { ...weather, refused: undefined, killAfter: undefined, interruptAfter: undefined, lost: 0 };
  }

  /**
   * What an exclusive resource removed of what the failed run did not come to, only a refresh puts back, and a policy whose
   * object that run gave grants instead; and nobody knows whether a run that was killed has replaced what it was to.
   */
  #retry({ replace }: UpOptions): UpOptions {
    const isExclusive = this.#tried.some(({ program }) =>
      Object.values(program).some(
        ({ type, args }) => args["exclusive"] === true || (this.#isAnother && type.endsWith("Policy")),
      ),
    );
    const isKilled = this.#tried.length === 1 && this.#tried[0]!.weather.killAfter !== undefined;
    return { refresh: isExclusive, replace: isKilled ? replace : undefined };
  }

  async #follow(text: string): Promise<void> {
    await removeLeftover(this.platform.emulator, text);
    if (!text.includes("adopt")) return;
    this.#drafts = Object.fromEntries(
      areas.map((area) => [area, this.#drafts[area].map(adopting)]),
    ) as unknown as Drafts;
  }

  /** With the same program nothing is to be done. */
  async #again(program: Program): Promise<string[]> {
    const failures = await this.#up(fairWeather, { refresh: this.#random.chance(0.5) });
    // A sensor that waits asks anew.
    const sent = this.platform.sent.filter((one) => !one.includes("partition_sensor"));
    if (failures.length > 0) return ["a second up fails"];
    return sent.length > 0
      ? [`a second up sends ${sent.length} writes, for ${Object.keys(program).length} resources`]
      : [];
  }

  #weather(): Weather {
    const random = this.#random;
    const what = this.options.isGentle ? 1 : random.next();
    const writes = 1 + random.below(8);
    return {
      latencyMs: random.pick([20, 60, 60]),
      lagMs: random.chance(0.45) ? 150 : 0,
      throttled: 0.02,
      lost: random.chance(0.12) ? 0.06 : 0,
      killAfter: what < 0.1 ? writes : undefined,
      interruptAfter: what >= 0.1 && what < 0.14 ? writes : undefined,
      refused: random.chance(0.15) ? random.pick(refusable) : undefined,
    };
  }

  #replaced(last: Program, next: Program): string | undefined {
    const names = Object.keys(next).filter(
      (name) => last[name]?.type === next[name]!.type && !/^(account|command|datastore|folder|partition)/.test(name),
    );
    return names.length > 0 && this.#random.chance(0.15) ? this.#random.pick(names) : undefined;
  }

  /** Somebody else adds something, where the stack would not remove it. */
  async #interfere(step: number, ...programs: [Program, Program]): Promise<void> {
    const promises = this.#promises;
    const add = async (fact: string, method: string, path: string, body: object): Promise<void> => {
      if (promises.isManaged(fact, this.#facts, ...programs) || this.#facts.has(fact)) return;
      await request(this.platform.emulator, method, `/api/v1.2/${path}`, body, token);
      promises.addedByOthers(fact);
      this.#notes.push(`somebody else adds ${fact}`);
    };
    const element = { access: "allow", action: ["read"], condition: { svc_users: [60_000 + step] } };
    const note = `note ${ids.note(1)}`;
    await this.#random.pick([
      () => add("whitelist 203.0.113.99", "POST", "whitelist_ip", { ip_cidr: "203.0.113.99" }),
      () =>
        add(`package ${ids.environment(1)} foreign`, "POST", `package/${ids.environment(1)}/add_packages`, {
          source_type: "python_package",
          package_names: "foreign==1",
        }),
      () =>
        add(`assigned ${ids.group(1)} ${ids.role(5)}`, "PUT", `groups/${ids.group(1)}/roles/${ids.role(5)}/assign`, {}),
      () => add(`enabled ${ids.user(3)}`, "POST", "accounts/enable_svc_user", { svc_user_id: email(3) }),
      async () => {
        if (!promises.policies.isFree(note, ...programs)) return;
        const policy = [element, ...(JSON.parse(this.#facts.get(note)!) as object[])];
        await request(
          this.platform.emulator,
          "PUT",
          "/api/v1.2/object_policy/policy",
          { source_type: "note", source_id: String(ids.note(1)), policy: JSON.stringify(policy) },
          token,
        );
        promises.policies.addedByOthers(note, element);
        this.#notes.push(`somebody else adds an element to the policy of ${note}`);
      },
    ])();
  }

  /** The state names the records that the platform has. */
  async #wrongIds(program: Program): Promise<string[]> {
    const home = homeOf(this.platform.emulator);
    const records = { WhitelistedIp: home.whitelist, Role: home.roles, Group: home.groups } as Record<
      string,
      readonly { id: number }[]
    >;
    const held = await this.runner.ids();
    return Object.entries(program).flatMap(([name, { type, args }]) => {
      // The id cannot change any more where it was not known at first.
      const isNamed = [args["name"], args["ipCidr"] && normaliseIp(args["ipCidr"] as string)].includes(held.get(name));
      const isThere = !records[type] || isNamed || records[type].some(({ id }) => String(id) === held.get(name));
      return isThere ? [] : [`the state has id ${held.get(name)} for ${name}, which the platform does not have`];
    });
  }
}

const isFierce = ({ refused, killAfter, interruptAfter, lost }: Weather) =>
  refused !== undefined || killAfter !== undefined || interruptAfter !== undefined || lost > 0;

/** As the error about what is there already advises. */
const adopting = (one: Draft): Draft => ("adopt" in one.args ? { ...one, args: { ...one.args, adopt: true } } : one);

/** What a person would do in the user interface, whom an error tells what to do. */
export async function removeLeftover(emulator: Emulator, text: string): Promise<void> {
  const [, leftover] = /data store (\d+) .*already exists/.exec(text) ?? [];
  if (leftover) await request(emulator, "DELETE", `/api/v1.2/db_taps/${leftover}`, undefined, token);
}
