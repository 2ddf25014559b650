import { Client } from "undici";
import { type Emulator, type Readings, startEmulator } from "../../emulator";
import { type PlatformState, type SecondPlatform, type Switches, startSecondPlatform } from "../second-platform";
import { type Call, type Caller, callName, type Group } from "./calls";
import { compare, type Difference, type Outcome } from "./compare";
import { changes, type Lines, linesOfEmulator, linesOfSecond } from "./effects";
import { equivalentSeed } from "./equivalent-seed";

/** The readings of the two platforms. */
export interface Readers {
  readonly readings?: Partial<Readings>;
  readonly switches?: Partial<Switches>;
}

interface Started {
  readonly platform: SecondPlatform;
  readonly client: Client;
}

/** Sends groups of calls to both platforms, each group starting from the seed. */
export class Comparison {
  readonly #client: Client;
  #second: Started | undefined;
  /** The state of both. */
  #lines: readonly [Lines, Lines] = [[], []];
  #changed = false;
  /** How many more commands, data stores, sensors or accounts there are than in the seed. */
  #added = 0;
  #lookLater = false;
  readonly #closing: Promise<void>[] = [];

  private constructor(
    private readonly emulator: Emulator,
    private readonly readers: Readers,
  ) {
    this.#client = new Client(emulator.url);
  }

  static async start(readers: Readers = {}): Promise<Comparison & AsyncDisposable> {
    const comparison = new Comparison(await startEmulator({ clock: "manual" }), readers);
    return Object.assign(comparison, { [Symbol.asyncDispose]: () => comparison.#close() });
  }

  async differences(groups: readonly Group[]): Promise<Difference[]> {
    const found: Difference[] = [];
    for (const group of groups) found.push(...(await this.#run(group)));
    return found;
  }

  async #run(group: Group): Promise<Difference[]> {
    const special = group.calls.map(({ as }) => as).filter((as) => typeof as === "object");
    const tokens = new Map<Caller, string>();
    const adds = onlyAdds(group);
    const isFresh = !this.#changed && this.#added < (adds ? mostAdditions : 1);
    const reused = special.length === 0 && isFresh ? this.#second : undefined;
    const second =
      reused ??
      (await this.#restart((platform) => {
        for (const as of special) tokens.set(as, platform.tokenWith(as.permissions));
      }));
    const fresh = ["", ""];
    const found: Difference[] = [];
    for (const [index, call] of group.calls.entries()) {
      const sent = (token: string) => tokenOf(call.as ?? "admin", second.platform, tokens, token);
      const outcomes = await this.#outcomes(second, call, [sent(fresh[0] ?? ""), sent(fresh[1] ?? "")]);
      for (const [which, outcome] of outcomes.entries()) fresh[which] ||= newToken(outcome);
      found.push(...compare(...outcomes).map((one) => ({ call: callName(group, index), ...one })));
    }
    if (special.length > 0) this.#changed = true;
    else if (adds && this.#changed) [this.#added, this.#changed] = [this.#added + 1, false];
    return found;
  }

  async #outcomes(
    { platform, client }: Started,
    call: Call,
    tokens: readonly (string | undefined)[],
  ): Promise<[Outcome, Outcome]> {
    if (call.after !== undefined) {
      this.emulator.advance(call.after);
      platform.advance(call.after * 1000);
      this.#changed = true;
    }
    const answers = await Promise.all([send(this.#client, call, tokens[0]), send(client, call, tokens[1])]);
    // Reading the state is expensive, so it is skipped if nothing can have changed; the next write reads it.
    this.#lookLater = call.method === "GET" || answers.every(({ status }) => status >= 400);
    const effects = this.#lookLater ? [[], []] : this.#effects(platform);
    return [
      { ...answers[0], effect: effects[0] ?? [] },
      { ...answers[1], effect: effects[1] ?? [] },
    ];
  }

  #effects(second: SecondPlatform): [Lines, Lines] {
    const [before, after] = [this.#lines, this.#held(second.state())];
    this.#lines = after;
    const effects: [Lines, Lines] = [changes(before[0], after[0]), changes(before[1], after[1])];
    this.#changed ||= effects.some((effect) => effect.length > 0);
    return effects;
  }

  #held(state: PlatformState): [Lines, Lines] {
    return [linesOfEmulator(this.emulator.state({ secrets: true })), linesOfSecond(state)];
  }

  /** A new second platform, and an emulator with the same state. */
  async #restart(prepare: (platform: SecondPlatform) => void): Promise<Started> {
    this.#dropSecond();
    const platform = await startSecondPlatform(this.readers.switches);
    prepare(platform);
    const state = platform.state();
    this.emulator.reset(equivalentSeed(state));
    this.emulator.setReadings(this.readers.readings ?? {});
    this.#lines = this.#held(state);
    this.#changed = false;
    this.#added = 0;
    this.#second = { platform, client: new Client(platform.url) };
    return this.#second;
  }

  #dropSecond(): void {
    if (!this.#second) return;
    const { platform, client } = this.#second;
    this.#second = undefined;
    this.#closing.push(client.destroy().then(() => platform.close()));
    const unseen = this.#lookLater ? this.#effects(platform).flat() : [];
    if (unseen.length > 0) throw new Error(`a call that was refused, or only read, changed ${unseen.join("; ")}`);
  }

  async #close(): Promise<void> {
    this.#dropSecond();
    await Promise.all(this.#closing);
    await this.#client.destroy();
    await this.emulator.close();
  }
}

/** With more, reading the state takes longer than starting a new platform. */
const mostAdditions = 15;

/** Whether a group only adds something that no other call of this kind reads, so that it needs no fresh state. */
function onlyAdds({ name, calls }: Group): boolean {
  return (
    calls.length === 1 &&
    /^(commands\.(spark|s3distcp|refresh)|dbTaps\.create|sensor\.create|account\.create)/.test(name)
  );
}

function tokenOf(
  as: Caller,
  second: SecondPlatform,
  made: ReadonlyMap<Caller, string>,
  ofNew: string,
): string | undefined {
  if (typeof as === "object") return made.get(as);
  if (as === "no token") return undefined;
  if (as === "an empty token") return "";
  if (as === "an unknown token") return "nobody-has-this-token";
  return as === "the new account" ? ofNew : second.tokens[as];
}

const newToken = ({ json }: Outcome): string =>
  (json as { authentication_token?: string } | null | undefined)?.authentication_token ?? "";

async function send(client: Client, call: Call, token: string | undefined): Promise<Omit<Outcome, "effect">> {
  const query = call.query ? `?${new URLSearchParams(call.query)}` : "";
  const body = call.text ?? (call.body === undefined ? null : JSON.stringify(call.body));
  const headers = {
    accept: "application/json",
    ...(body !== null && { "content-type": "application/json" }),
    ...(token !== undefined && { "x-auth-token": token }),
    ...call.headers,
  };
  const sent = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await client.request({
    method: call.method as "GET",
    path: call.path + query,
    headers: Object.fromEntries(sent),
    body,
  });
  const text = await response.body.text();
  const compared = (call.compareHeaders ?? []).map((name) => [name, String(response.headers[name] ?? "absent")]);
  return { status: response.statusCode, ...read(text), headers: Object.fromEntries(compared) };
}

function read(text: string): Pick<Outcome, "kind" | "json"> {
  if (text === "") return { kind: "no body", json: undefined };
  try {
    return { kind: "JSON", json: JSON.parse(text) };
  } catch {
    return { kind: "text", json: undefined };
  }
}
