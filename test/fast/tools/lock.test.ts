import { existsSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { withLock } from "../../../tools/lib/lock.mjs";
import { ownFolder } from "../../harness/folders";

let lock: string;
beforeEach(() => {
  lock = join(ownFolder(), "work.lock");
});

const nobody = () => {};
const owner = () => readFileSync(join(lock, "owner"), "utf8");
/** As if its holder had been suspended: no heartbeat for two minutes. */
const makeStale = () => utimesSync(lock, new Date(Date.now() - 120_000), new Date(Date.now() - 120_000));

function gate(): { open: () => void; opened: Promise<void> } {
  let open = nobody;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  return { open, opened };
}

test("one at a time, leaving nothing behind", async () => {
  const order: string[] = [];
  const first = gate();
  const waiting = gate();
  const one = withLock(lock, nobody, async () => {
    await first.opened;
    order.push("one");
  });
  const two = withLock(lock, waiting.open, async () => void order.push("two"));
  await waiting.opened;
  first.open();
  await Promise.all([one, two]);
  expect(order).toEqual(["one", "two"]);
  expect(existsSync(lock)).toBe(false);
});

test("a holder whose lock was taken over leaves the new lock alone, and does not renew it", async () => {
  const slept = gate();
  const working = gate();
  const suspended = withLock(lock, nobody, () => slept.opened);
  makeStale();
  const successor = withLock(lock, nobody, () => working.opened);
  const taken = owner();
  makeStale();
  slept.open();
  await suspended;
  expect(existsSync(lock) && owner()).toBe(taken);
  expect(Date.now() - statSync(lock).mtimeMs).toBeGreaterThan(60_000);
  working.open();
  await successor;
  expect(existsSync(lock)).toBe(false);
});
