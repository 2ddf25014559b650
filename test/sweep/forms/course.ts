import { startEmulator } from "../../../emulator";
import type { Readings } from "../../../emulator/readings";
import { definitionOf, inProcess, resultOf } from "../../harness/in-process";
import type { ExtendedLife, LifecycleCase } from "../../harness/lifecycle";
import { GoBetween, type Hook } from "../chaos/go-between";
import { type Failure, SmallEngine } from "../chaos/small-engine";
import { withoutChance } from "../chaos/without-chance";

export type Life = Pick<ExtendedLife | LifecycleCase, "type" | "args" | "changes" | "prepare">;

/** A platform that answers as the emulator does, but for the form of its answers. */
export interface Installation {
  readonly readings?: Partial<Readings>;
  /** Makes the hook that changes the answers on their way; default: none. */
  readonly answers?: () => Hook;
  /** Whether it has the operations outside the specification. Default: yes. */
  readonly extended?: boolean;
}

/** What a step of a life did. An unchanged program sends nothing, neither right away nor after a refresh. */
interface Step {
  readonly failures: readonly string[];
  readonly lost: readonly string[];
  readonly sentAgain: readonly string[];
  readonly platform: string;
}

export interface Course {
  readonly steps: Readonly<Record<string, Step>>;
  /** In which inputs an import differs from the program, or why it failed. */
  readonly imported: string;
}

const texts = (failures: readonly Failure[]): string[] => failures.map(({ message }) => message);

/** The whole life of a resource with the extended API on, without the engine: created, changed, imported, destroyed. */
export async function courseOf({ type, args, changes = [], prepare }: Life, its: Installation = {}): Promise<Course> {
  const readings = { cancelSeconds: 0, ...its.readings };
  const emulator = await startEmulator({ extended: its.extended ?? true, readings });
  const between = await GoBetween.start(emulator.url);
  const engine = new SmallEngine({ baseUrl: between.url, token: emulator.tokens["admin"]!, extended: true });
  try {
    await prepare?.(emulator);
    if (its.answers) between.reset(its.answers());
    const steps: Record<string, Step> = {};
    const sentBy = async (program: Parameters<typeof engine.up>[0]): Promise<string[]> => {
      emulator.clearRequests();
      const failures = await engine.up(program);
      const sent = emulator.requests().requests.filter(({ operation }) => operation !== "account.view");
      return [...texts(failures), ...sent.map(({ method, path }) => `${method} ${path}`)];
    };
    const take = async (what: string, program: Parameters<typeof engine.up>[0]): Promise<void> => {
      const failures = texts(await engine.up(program));
      const platform = withoutChance(JSON.stringify(emulator.state({ secrets: true })));
      const idle = await sentBy(program);
      const ids = [...(await engine.ids())];
      failures.push(...texts(await engine.refresh()));
      const now = await engine.ids();
      const lost = ids.filter(([name, id]) => now.get(name) !== id).map(([name]) => name);
      steps[what] = { failures, lost, sentAgain: [...idle, ...(await sentBy(program))], platform };
    };
    await take("created", { [type]: { type, args: { ...args } } });
    for (const change of changes) await take(change.what, { [type]: { type, args: { ...change.args } } });
    const imported = await importOf(type, changes.at(-1)?.args ?? args, (await engine.ids()).get(type), {
      url: between.url,
      tokens: emulator.tokens,
    });
    await take("destroyed", {});
    return { steps, imported };
  } finally {
    await engine.close();
    await between.stop();
    await emulator.close();
  }
}

async function importOf(type: string, args: object, id: string | undefined, platform: Parameters<typeof inProcess>[1]) {
  const { life, client } = inProcess(definitionOf(type), platform, { extended: true });
  try {
    const found = id === undefined ? undefined : await life.read(id, {});
    if (!found) return `${id} is not found`;
    const { changed, unseen } = life.diff(found.state, { ...args });
    return changed.filter((input) => !unseen.includes(input)).join(", ");
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.close();
  }
}

/** What a function returns. */
export async function resultOn(name: string, inputs: Record<string, unknown>, its: Installation = {}) {
  const emulator = await startEmulator({ extended: true, ...(its.readings && { readings: its.readings }) });
  const between = await GoBetween.start(emulator.url);
  if (its.answers) between.reset(its.answers());
  try {
    return await resultOf(name, inputs, { url: between.url, tokens: emulator.tokens }, { extended: true });
  } finally {
    await between.stop();
    await emulator.close();
  }
}
