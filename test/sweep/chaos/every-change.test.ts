import { describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { extendedLives, lives } from "../../cases";
import { type Change, type LifecycleCase, plainArgs } from "../../harness/lifecycle";
import { SmallEngine } from "./small-engine";
import { withoutChance } from "./without-chance";

/**
 * Every call of a creation, of every change, and of the destroy after it, is refused or its answer is lost. The next `up`
 * finishes what was begun, and a destroy leaves what it always leaves: nothing is lost, nothing is done twice, and no stack
 * is stuck.
 */

const rules = {
  refused: { kind: "respond", status: 403, body: { error: { error_code: 403, error_message: "not now" } } },
  "lost before the work": { kind: "reset-before" },
  "lost after the work": { kind: "reset-after" },
} as const;
type Ending = keyof typeof rules;

type Life = Pick<LifecycleCase, "type" | "args" | "prepare" | "changes">;
type Step = readonly [before: object, after: object];
const phases = ["create", "change", "destroy"] as const;
type Phase = (typeof phases)[number];
interface Fault {
  readonly during: Phase;
  readonly nth: number;
  readonly ending: Ending;
}

/** A sensor is a question, which may be asked again; and the commands of the extended life wait until they are killed. */
const isTried = ({ type }: Life, isExtended: boolean) =>
  type !== "PartitionSensor" && !(type === "Command" && isExtended);

function stepsOf({ args, changes = [] }: Life): Step[] {
  const isChange = ({ expect: expected }: Change) => expected !== "same";
  const stages = [args, ...changes.filter(isChange).map((change) => change.args)];
  return stages.length === 1 ? [[args, args]] : stages.slice(1).map((after, index) => [stages[index]!, after]);
}

/** Runs a change and a destroy, each again until it has succeeded. */
async function live(emulator: Emulator, { type }: Life, [before, after]: Step, isExtended: boolean, fault?: Fault) {
  emulator.reset();
  const token = emulator.tokens["admin"]!;
  const engine = new SmallEngine({ baseUrl: emulator.url, token, extended: isExtended, retries: 0, hurried: true });
  const said: string[] = [];
  const until = async (during: Phase, args?: object): Promise<number> => {
    const program = args ? { it: { type, args: plainArgs(args) as Record<string, unknown> } } : {};
    if (fault?.during === during) emulator.setFaults({ rules: [{ ...rules[fault.ending], nth: fault.nth }] });
    emulator.clearRequests();
    for (let run = 1, failed = true; failed && run <= 4; run++) {
      const failures = await engine.up(program);
      said.push(...failures.map(({ message }) => `${during} ${run}: ${message}`));
      failed = failures.length > 0;
      if (run === 1) emulator.clearFaults();
    }
    return emulator.requests().requests.length;
  };
  const now = () => withoutChance(JSON.stringify(emulator.state({ secrets: true })));
  const calls = { create: await until("create", before), change: await until("change", after), destroy: 0 };
  const changed = now();
  calls.destroy = await until("destroy");
  const { state, leftOver } = engine.recorded();
  await engine.close();
  return { calls, said, ended: { changed, destroyed: now(), held: state.size + leftOver.length } };
}

describe.each([
  ["as specified", lives],
  ["with the extended API", extendedLives],
])("%s", (_, some: readonly Life[]) => {
  const isExtended = some === extendedLives;
  test.concurrent.each(some.filter((life) => isTried(life, isExtended)))("$type", async (life) => {
    const prepared = await startEmulator({ extended: isExtended });
    await life.prepare?.(prepared);
    const emulator = await startEmulator({ seed: prepared.state({ secrets: true }), extended: isExtended });
    await prepared.close();
    for (const [index, step] of stepsOf(life).entries()) {
      const clean = await live(emulator, life, step, isExtended);
      expect(clean.said).toEqual([]);
      for (const during of index === 0 ? phases : phases.slice(1))
        for (const ending of Object.keys(rules) as Ending[])
          for (let nth = 1; nth <= clean.calls[during]; nth++) {
            const { said, ended } = await live(emulator, life, step, isExtended, { during, nth, ending });
            const where = `${JSON.stringify(step)}, call ${nth} of the ${during} ${ending}: ${said.join("; ")}`;
            // Nothing can be looked up, and the error says so.
            const isOpen = said.some((one) => one.includes("outcome is unknown"));
            // A refusal leaves open only whether what was written before has come about.
            if (isOpen && ending === "refused") expect(where).toContain("but could not be checked: could not view");
            if (isOpen) continue;
            expect(ended, where).toEqual(clean.ended);
          }
    }
    await emulator.close();
  });
});
