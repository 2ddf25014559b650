import { beforeEach, describe, expect, test } from "vitest";
import { type Existing, PartialFailure } from "../../../provider/core/guard";
import { resources } from "../../../provider/resources";
import { argsOf, preparedEmulator } from "../../cases";
import { GoBetween } from "../../harness/go-between";
import { definitionOf, inProcess } from "../../harness/in-process";
import { withoutChance } from "./without-chance";

/**
 * Every call of every creation and refresh is refused, its answer is lost before or after the work, or the run is cancelled
 * right after it. Whatever happens, nothing that is on the platform is lost from the state without a word, nothing is said
 * to be done that is not, and what was refused is not sent again. Changes and destroys are in every-change.test.ts.
 */

const emulator = preparedEmulator();
beforeEach(() => emulator.reset());

type Ending = { readonly status: number } | "cancel" | "reset-before" | "reset-after";
const endings: readonly Ending[] = [
  ...[403, 404, 409, 422].map((status) => ({ status })),
  ...(["reset-before", "reset-after", "cancel"] as const),
];
const types = resources.map(({ type }) => type);

interface Run<T> {
  readonly result?: T;
  readonly error?: unknown;
  readonly calls: number;
  /** The write that was refused, and what was written after it. */
  readonly refused?: string;
  readonly later: readonly string[];
}

const isWrite = ({ method }: { readonly method: string }) => method !== "GET";
const writeOf = ({ method, path, body }: { method: string; path: string; body?: unknown }) =>
  `${method} ${path} ${JSON.stringify(body)}`;

/** Runs work whose nth call ends so. */
async function endingAt<T>(
  type: string,
  { nth, ending }: { nth: number; ending: Ending },
  work: (life: ReturnType<typeof inProcess>["life"]) => Promise<T>,
): Promise<Run<T>> {
  emulator.clearRequests();
  const controller = new AbortController();
  const between = await GoBetween.start(emulator.url);
  between.reset(({ number, text }) => {
    if (ending === "cancel" && number === nth) controller.abort();
    return text;
  });
  if (ending === "reset-before" || ending === "reset-after") emulator.setFaults({ rules: [{ kind: ending, nth }] });
  if (typeof ending === "object") {
    const body = { error: { error_code: ending.status, error_message: "not now" } };
    emulator.setFaults({ rules: [{ kind: "respond", status: ending.status, body, nth }] });
  }
  const platform = { url: between.url, tokens: emulator.tokens };
  const options = { extended: true, signal: controller.signal, retries: 0 };
  const { life } = inProcess(definitionOf(type), platform, options);
  const outcome = await work(life).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  // A cancelled run does not wait for its requests: those that have arrived are carried out, and no other arrives later.
  await between.stop();
  await between.settled();
  emulator.clearFaults();
  const { requests } = emulator.requests();
  const refused = typeof ending === "object" ? requests[nth - 1] : undefined;
  return {
    ...outcome,
    calls: requests.length,
    later: requests.slice(nth).filter(isWrite).map(writeOf),
    ...(refused && isWrite(refused) && { refused: writeOf(refused) }),
  };
}

const never = { nth: 1_000, ending: "cancel" as const };
const create = (type: string, at: Parameters<typeof endingAt>[1] = never) =>
  endingAt<Existing>(type, at, (life) => life.create(argsOf(type)));
const onPlatform = () => JSON.stringify(emulator.state({ secrets: true }));

describe.each(types)("%s", (type) => {
  test.each(endings)("create, each call ending in %j", async (ending) => {
    const { calls } = await create(type);
    const after = withoutChance(onPlatform());
    for (let nth = 1; nth <= calls; nth++) {
      emulator.reset();
      const before = onPlatform();
      const run = await create(type, { nth, ending });
      const where = `call ${nth} of ${calls}`;
      if (run.refused) expect(run.later, where).not.toContain(run.refused);
      if (run.error === undefined && ending !== "cancel" && !mayMeanDone(type, ending))
        expect(withoutChance(onPlatform()), `${where}: it is said to be done`).toBe(after);
      if (run.error === undefined || run.error instanceof PartialFailure) continue;
      // A sensor is a question, which may be asked again.
      if (ending === "reset-after" && (type === "PartitionSensor" || saysItIsOpen.test(String(run.error)))) continue;
      expect(onPlatform(), `${where}: nothing is in the state: ${String(run.error)}`).toBe(before);
    }
  });

  test.each(endings)("refresh, each call ending in %j", async (ending) => {
    const read = ({ id, state }: Existing, at = never as Parameters<typeof endingAt>[1]) =>
      endingAt(type, at, (life) => life.read(id, state));
    const made = (await create(type)).result!;
    const { calls } = await read(made);
    for (let nth = 1; nth <= calls; nth++) {
      const { result, error } = await read(made, { nth, ending });
      if (error !== undefined) continue;
      if (typeof ending === "object" && ending.status === 404) continue;
      expect(result, `call ${nth} of ${calls}: it is still there`).toMatchObject({ id: made.id });
    }
  });
});

const saysItIsOpen = /outcome is unknown|may have succeeded|may exist|may be on the list/;

/** Nothing can be read without the extended API, and a platform may answer so to a role that is, or is not, assigned. */
function mayMeanDone(type: string, ending: Ending): boolean {
  if (typeof ending === "string") return false;
  const { status } = ending;
  // A 404 may also mean that the installation lacks the operation, and another one does it.
  return status === 404 || (status === 409 && /^GroupRole/.test(type));
}
