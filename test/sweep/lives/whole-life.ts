import { objectPolicy } from "../../../provider/resources/object-policy";
import { fetchOnce, request } from "../../harness/http";
import { definitionOf, inProcess } from "../../harness/in-process";
import type { Program } from "../../harness/stack";
import { type SecondPlatform, startSecondPlatform } from "../../second-platform";
import { type Failure, SmallEngine } from "../chaos/small-engine";
import { changes, factsOf } from "./facts";
import { functionFindings } from "./function-lives";
import { expectedFacts, lives, programOf } from "./program";
import { oneOfEach, type Reading } from "./readings";

/** What went wrong, prefixed with the step: `create address: …`. */
export type Findings = string[];

interface Options {
  /** A platform that randomly rejects requests: failed runs are retried, as a user would. */
  readonly patience: number;
  /** A platform that shows a policy only after some reads, which are made between the runs. */
  readonly delays: boolean;
}

/** Runs whole lives side by side: created, checked, changed, checked, imported, removed. */
class WholeLife {
  readonly findings: Findings = [];
  readonly engine: SmallEngine;

  constructor(
    private readonly platform: SecondPlatform,
    private readonly names: readonly string[],
    private readonly options: Options,
  ) {
    const { url: baseUrl, tokens, profile } = platform;
    // What a reading makes impossible stops nothing else: each of the lives tells.
    this.engine = new SmallEngine({ baseUrl, token: tokens.admin, profile, continueOnError: true });
  }

  async run(): Promise<Findings> {
    const before = factsOf(this.platform.state());
    const held = (step: string, at: 0 | 1 | 2): void => {
      const expected = expectedFacts(before, this.names, at);
      this.#find(step, changes(expected, factsOf(this.platform.state())));
    };
    const [first, second] = [programOf(this.names, "first"), programOf(this.names, "second")];
    await this.#up("create", first);
    held("created", 0);
    await this.#expectNoChanges("after create", first);
    await this.#up("change", second);
    held("changed", 1);
    await this.#expectNoChanges("after change", second);
    await this.#import(second);
    await this.#up("destroy", {});
    held("destroyed", 2);
    const left = [...(await this.engine.ids()).keys()];
    this.#find("destroyed", left.length > 0 ? [`the state still has ${left.join(", ")}`] : []);
    await this.engine.close();
    return this.findings;
  }

  async #up(step: string, program: Program): Promise<void> {
    this.#find(step, (await this.#untilClean(() => this.engine.up(program))).map(failureText));
    await this.#settle();
  }

  /** An unchanged program has nothing to do, neither right away nor after a refresh. */
  async #expectNoChanges(when: string, program: Program): Promise<void> {
    const ids = await this.engine.ids();
    await this.#sendsNothing(`idle ${when}`, program);
    this.#find(`refresh ${when}`, (await this.#untilClean(() => this.engine.refresh())).map(failureText));
    const now = await this.engine.ids();
    // On a flaky platform, the address may serve as the entry's id until a refresh finds the real one.
    const isSame = (name: string, id: string) => (this.options.patience > 0 ? now.has(name) : now.get(name) === id);
    const lost = [...ids].filter(([name, id]) => !isSame(name, id)).map(([name, id]) => `${name}: ${id} is lost`);
    this.#find(`refresh ${when}`, lost);
    await this.#sendsNothing(`drift ${when}`, program);
  }

  async #sendsNothing(step: string, program: Program): Promise<void> {
    this.platform.clearRequests();
    const unfinished = await this.engine.up(program);
    const sent = sentTo(this.platform).map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`);
    this.#find(step, unfinished.map(failureText));
    if (sent.length > 0) this.#find(step, [[...new Set(sent)].join("; ")]);
    await this.#settle();
  }

  async #import(program: Program): Promise<void> {
    const ids = await this.engine.ids();
    for (const [name, { type, args }] of Object.entries(program)) {
      const importId = lives[name]!.importId ?? ids.get(name);
      if (importId === undefined || importId === false) continue;
      const { life, client } = inProcess(definitionOf(type), this.platform, { retries: 5 });
      try {
        const found = await this.#patiently(() => life.read(importId, {}));
        if (!found) this.#find("import", [`${name}: ${importId} is not found`]);
        else if (type !== "IpWhitelist") {
          const { changed, unseen } = life.diff(found.state, args);
          const differing = changed.filter((input) => !unseen.includes(input) && !(input in triggersOnly));
          if (differing.length > 0) this.#find("import", [`${name}: differs in ${differing.join(", ")}`]);
        }
      } catch (error) {
        this.#find("import", [`${name}: ${(error as Error).message}`]);
      }
      await client.close();
    }
  }

  async #untilClean(run: () => Promise<Failure[]>): Promise<Failure[]> {
    let failures = await run();
    for (let more = this.options.patience; more > 0 && failures.length > 0; more--) {
      // Every third request is rejected. Three times none, three times one, three times two extra requests: whatever the
      // number of its own, some run then has each place in the rhythm.
      for (let ask = 0; ask < Math.floor(more / 3) % 3; ask++) await this.#ask("/api/v1.2/account/");
      failures = await run();
    }
    return failures;
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    for (let more = this.options.patience; ; more--)
      try {
        return await work();
      } catch (error) {
        if (more <= 0) throw error;
        await this.#ask("/api/v1.2/account/");
      }
  }

  /** Makes visible what shows only a second later, or after two reads. */
  async #settle(): Promise<void> {
    this.platform.advance(1000);
    if (!this.options.delays) return;
    for (const id of ["note/501", "cluster/602"])
      for (let read = 0; read < 2; read++) {
        const { life, client } = inProcess(objectPolicy, this.platform);
        await life.read(id, {}).catch(() => undefined);
        await client.close();
      }
  }

  async #ask(path: string): Promise<void> {
    const headers = { "x-auth-token": this.platform.tokens.admin };
    await (await fetchOnce(this.platform.url + path, { headers })).text();
  }

  #find(step: string, what: readonly string[]): void {
    this.findings.push(...what.map((one) => `${step} ${one}`));
  }
}

/** But for whose token it is, which a run asks even where nothing changes. */
export const sentTo = (platform: SecondPlatform) =>
  platform.requests().filter(({ path }) => !/^\/api\/v1\.2\/account\/?$/.test(path));

/** Known only to the program. */
const triggersOnly: Readonly<Record<string, true>> = { triggers: true, onDestroy: true };

function failureText({ name, message }: Failure): string {
  return `${name}: ${message}`;
}

/** Platforms that randomly reject or reset requests: failed runs are retried. */
const flaky = /rateLimit=|connection=reset/;

/** Everything wrong after every life and function that a reading affects. */
export async function findingsOf(reading: Reading, profile?: string): Promise<string[]> {
  const platform = Object.assign(await startSecondPlatform(reading.switches), { profile });
  try {
    await crowdOtherAccount(platform, reading);
    const patience = flaky.test(reading.title) ? 20 : 0;
    const concernsAll = reading.names.length >= oneOfEach.length;
    const said = await functionFindings(platform, reading.switches, { concernsAll, patience });
    const life = new WholeLife(platform, reading.names, { patience, delays: "policyDelay" in reading.switches });
    return [...said.map((one) => `function ${one}`), ...(await life.run())];
  } finally {
    await platform.close();
  }
}

/** For platforms that list all accounts: gives the other account entries with our ids and one of our addresses. */
async function crowdOtherAccount(platform: SecondPlatform, { switches }: Reading): Promise<void> {
  if (switches.whitelistScope !== "all accounts") return;
  for (const ip of ["198.51.100.20", "192.0.2.22", "203.0.113.50", "203.0.113.51", "203.0.113.52", "203.0.113.53"])
    await request(platform, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: ip }, "otherAccount");
}
