import { startEmulator } from "../../../emulator";
import type { Readings } from "../../../emulator/readings";
import { GoBetween, type Hook } from "../../harness/go-between";
import { definitionOf, inProcess } from "../../harness/in-process";
import type { EmulatorState, ExtendedLife, LifecycleCase } from "../../harness/lifecycle";
import type { Outcome } from "../../harness/stack";
import { type Failure, SmallEngine } from "../chaos/small-engine";
import { withoutChance } from "../chaos/without-chance";

type Case = ExtendedLife | LifecycleCase;
export type Life = Pick<Case, "type" | "args" | "changes" | "prepare" | "drift" | "disappear"> &
  Partial<Pick<Case, "present" | "absent">>;

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
  /** The state after a refresh that follows what others did: a change, and a removal. */
  readonly noticed: readonly string[];
  /** The warnings of each step. */
  readonly said: readonly string[];
  /** In which inputs an import differs from the program, or why it failed. */
  readonly imported: string;
}

const texts = (failures: readonly Failure[]): string[] => failures.map(({ message }) => message);

/**
 * The whole life of a resource with the extended API on, without the engine: created, repaired after what others did,
 * changed, imported, destroyed.
 */
export async function courseOf(life: Life, its: Installation = {}): Promise<Course> {
  const { type, args, changes = [], prepare, drift, disappear, present, absent } = life;
  const readings = { cancelSeconds: 0, ...its.readings };
  const emulator = await startEmulator({ extended: its.extended ?? true, readings });
  const between = await GoBetween.start(emulator.url);
  const engine = new SmallEngine({ baseUrl: between.url, token: emulator.tokens["admin"]!, extended: true });
  try {
    await prepare?.(emulator);
    if (its.answers) between.reset(its.answers());
    const steps: Record<string, Step> = {};
    const said: string[] = [];
    const sentBy = async (program: Parameters<typeof engine.up>[0]): Promise<string[]> => {
      emulator.clearRequests();
      const failures = await engine.up(program);
      const sent = emulator.requests().requests.filter(({ operation }) => operation !== "account.view");
      return [...texts(failures), ...sent.map(({ method, path }) => `${method} ${path}`)];
    };
    const take = async (
      what: string,
      program: Parameters<typeof engine.up>[0],
      expectState?: (state: EmulatorState, outcome: Outcome) => void,
    ): Promise<void> => {
      const failures = texts(await engine.up(program));
      said.push(engine.said());
      const state = emulator.state({ secrets: true });
      const platform = withoutChance(JSON.stringify(state));
      // What went wrong is in the course.
      if (failures.length === 0) expectState?.(state, { text: engine.said() } as Outcome);
      const idle = await sentBy(program);
      const ids = [...(await engine.ids())];
      failures.push(...texts(await engine.refresh()));
      const now = await engine.ids();
      const lost = ids.filter(([name, id]) => now.get(name) !== id).map(([name]) => name);
      steps[what] = { failures, lost, sentAgain: [...idle, ...(await sentBy(program))], platform };
    };
    const first = { [type]: { type, args: { ...args } } };
    const ids = async () => (await engine.ids()).get(type)!;
    await take("created", first);
    present?.(emulator.state({ secrets: true }), await ids());
    const noticed: string[] = [];
    for (const incident of [drift?.make, disappear]) {
      if (!incident) continue;
      await incident(emulator, await ids());
      const failures = texts(await engine.refresh());
      const found = engine.recorded().state.get(type);
      const shown = Object.entries(found?.state ?? {}).filter(([name]) => !/(At|Time)$/.test(name));
      noticed.push(JSON.stringify([failures, shown.sort()]));
      await take(`repaired ${noticed.length}`, first);
      present?.(emulator.state({ secrets: true }), await ids());
    }
    for (const change of changes) await take(change.what, { [type]: { type, args: { ...change.args } } }, change.after);
    const imported = await importOf(type, changes.at(-1)?.args ?? args, (await engine.ids()).get(type), {
      url: between.url,
      tokens: emulator.tokens,
    });
    await take("destroyed", {}, absent);
    return { steps, noticed, said, imported };
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
