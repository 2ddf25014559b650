import { beforeEach, describe, expect, test } from "vitest";
import type { Faults } from "../../../emulator";
import { type Existing, PartialFailure } from "../../../provider/core/guard";
import { resources } from "../../../provider/resources";
import { argsOf, preparedEmulator } from "../../cases";
import { GoBetween } from "../../harness/go-between";
import { definitionOf, inProcess } from "../../harness/in-process";
import { withoutChance } from "./without-chance";

/**
 * Every call of every creation and refresh is refused, its answer is lost before or after the work, or the run is cancelled
 * right after it; a refresh gets every answer that does not clearly say that the thing is gone. Whatever happens, nothing
 * that is on the platform is lost from the state without a word, nothing is said to be done that is not, and what was
 * refused is not sent again, nor is its outcome called open. Changes and destroys are in every-change.test.ts.
 */

const emulator = preparedEmulator();
beforeEach(() => emulator.reset());

type Rule = Faults["rules"][number];
type Ending = Rule | "cancel";

const saying = (status: number, ...bodies: unknown[]): Rule[] =>
  bodies.map((body) => ({ kind: "respond", status, body }));
const refusals = [403, 404, 409, 422].map(
  (status): Rule => ({ kind: "respond", status, body: { error: { error_code: status, error_message: "not now" } } }),
);
const lost: readonly Rule[] = [{ kind: "reset-before" }, { kind: "reset-after" }, { kind: "truncated" }];
const done: readonly Rule[] = [
  { kind: "500", work: "do" },
  { kind: "html", status: 502, work: "do" },
];
/** Answers that do not clearly say that the thing is gone. */
const unclear: readonly Rule[] = [
  { kind: "429", retryAfter: 0 },
  { kind: "500" },
  { kind: "503", body: "" },
  { kind: "html", status: 200 },
  { kind: "html", status: 404 },
  { kind: "empty", status: 200 },
  { kind: "empty", status: 404 },
  { kind: "latency", latencyMs: 60_000 },
  ...saying(401, { error: { error_code: 401, error_message: "bad token" } }, ""),
  ...saying(404, "not here", {}, { message: "no such route" }, "null"),
  ...saying(502, "<h1>Bad gateway</h1>"),
  ...saying(204, ""),
  ...saying(301, ""),
  ...saying(200, {}, [], "null", '"gone"', "0", "{", { error: { error_code: 404, error_message: "gone" } }),
  ...saying(200, { status: "error", errors: [] }, { account_whitelisted_ips: null }, { users: null }, { policy: {} }),
  ...saying(200, { account_whitelisted_ips: {} }, { users: "none" }, { commands: null }, { data: [] }),
];

interface Run<T> {
  readonly result?: T;
  readonly error?: unknown;
  readonly calls: number;
  /** The write that ended so, and what was written after it. */
  readonly ended?: string;
  readonly later: readonly string[];
}

const isWrite = ({ method }: { readonly method: string }) => method !== "GET";
const writeOf = ({ method, path, body }: { method: string; path: string; body?: unknown }) =>
  `${method} ${path} ${JSON.stringify(body)}`;

const everyCall = 0;

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
  if (ending !== "cancel") emulator.setFaults({ rules: [nth === everyCall ? ending : { ...ending, nth }] });
  const platform = { url: between.url, tokens: emulator.tokens };
  const isSlow = ending !== "cancel" && ending.kind === "latency";
  const options = { extended: true, signal: controller.signal, retries: 0, timeoutSeconds: isSlow ? 1 : 30 };
  const { life } = inProcess(definitionOf(type), platform, options);
  const outcome = await work(life).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  // A cancelled run does not wait for its requests: those that have arrived are carried out, and no other arrives later.
  await between.stop();
  if (!isSlow) await between.settled();
  emulator.clearFaults();
  const { requests } = emulator.requests();
  const ended = requests[nth - 1];
  return {
    ...outcome,
    calls: requests.length,
    later: requests.slice(nth).filter(isWrite).map(writeOf),
    ...(ended && isWrite(ended) && { ended: writeOf(ended) }),
  };
}

const never = { nth: 1_000, ending: "cancel" as const };
const create = (type: string, at: Parameters<typeof endingAt>[1] = never) =>
  endingAt<Existing>(type, at, (life) => life.create(argsOf(type)));
const onPlatform = () => JSON.stringify(emulator.state({ secrets: true }));

describe.each(resources)("$type", ({ type }) => {
  test.each([...refusals, ...lost, ...done, "cancel" as const])("create, each call ending in %j", async (ending) => {
    const { calls } = await create(type);
    const after = withoutChance(onPlatform());
    const isRefusal = refusals.includes(ending as Rule);
    for (let nth = 1; nth <= calls; nth++) {
      emulator.reset();
      const before = onPlatform();
      const { ended, later, error } = await create(type, { nth, ending });
      const where = `call ${nth} of ${calls}`;
      if (isRefusal && ended) expect(later, where).not.toContain(ended);
      if (isRefusal && ended) expect(String(error), where).not.toMatch(saysItIsOpen);
      if (error === undefined && ending !== "cancel" && !mayMeanDone(type, ending))
        expect(withoutChance(onPlatform()), `${where}: it is said to be done`).toBe(after);
      if (error === undefined || error instanceof PartialFailure) continue;
      // A sensor is a question, which may be asked again.
      if (isDone(ending) && (type === "PartitionSensor" || saysItIsOpen.test(String(error)))) continue;
      expect(onPlatform(), `${where}: nothing is in the state: ${String(error)}`).toBe(before);
    }
  });

  test("refresh, each call ending in any way", async () => {
    const { id, state } = (await create(type)).result!;
    const read = (at = never as Parameters<typeof endingAt>[1]) => endingAt(type, at, (life) => life.read(id, state));
    const { calls, result: found } = await read();
    expect(found).toMatchObject({ id });
    for (const ending of ["cancel" as const, ...refusals, ...lost, ...done, ...unclear])
      for (let nth = everyCall; nth <= calls; nth++) {
        const { result, error } = await read({ nth, ending });
        const where = `call ${nth} of ${calls} ending in ${JSON.stringify(ending)}`;
        if (error !== undefined) expect(String(error), where).toContain(`cannot read ${type} ${id}`);
        else if (nth === everyCall || !mayMeanGone(type, ending))
          expect(result, `${where}: it is still there`).toMatchObject({ id });
      }
  });
});

/** Where the other calls are answered: a 404, also within 200, and a group that has no roles. */
function mayMeanGone(type: string, ending: Ending): boolean {
  const body = ending === "cancel" ? "" : (JSON.stringify(ending.body) ?? "");
  return body.includes('"error_code":404') || (type === "GroupRoleAssignment" && ["[]", `{"data":[]}`].includes(body));
}

const isDone = (ending: Ending) =>
  ending !== "cancel" && (ending.work === "do" || ["reset-after", "truncated"].includes(ending.kind));
const saysItIsOpen = /outcome is unknown|may have succeeded|may exist|may be on the list/;

/** Nothing can be read without the extended API, and a platform may answer so to a role that is, or is not, assigned. */
function mayMeanDone(type: string, ending: Ending): boolean {
  if (ending === "cancel") return false;
  const { status } = ending;
  // A 404 may also mean that the installation lacks the operation, and another one does it.
  return status === 404 || (status === 409 && /^GroupRole/.test(type));
}
