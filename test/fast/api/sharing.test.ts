import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Batcher } from "../../../provider/api/batch";
import { KeyedLock } from "../../../provider/api/keyed-lock";
import { Quiet } from "../../../provider/api/quiet";
import { defaultRetryPolicy, delayBefore, parseRetryAfter } from "../../../provider/api/retry";
import { SharedRead } from "../../../provider/api/shared-read";

describe("shared reads", () => {
  const counted = (ms = 5) => {
    let reads = 0;
    const shared = new SharedRead(async () => {
      const number = ++reads;
      await sleep(ms);
      return number;
    });
    return { shared, reads: () => reads };
  };

  test("concurrent callers, and those soon after, share one read", async () => {
    const { shared, reads } = counted();
    await Promise.all(Array.from({ length: 100 }, () => shared.fresh()));
    expect(await shared.fresh()).toBe(1);
    expect(reads()).toBe(1);
  });

  test("after a write, fresh reads again and recent does not", async () => {
    const { shared } = counted();
    await shared.fresh();
    shared.written();
    expect(await shared.recent()).toBe(1);
    expect(await shared.fresh()).toBe(2);
  });

  test("a read that started before the write does not count; waiting callers share the next one", async () => {
    const { shared, reads } = counted(20);
    const early = shared.fresh();
    await sleep(5);
    shared.written();
    expect(await Promise.all([shared.fresh(), shared.fresh(), early])).toEqual([2, 2, 1]);
    expect(reads()).toBe(2);
  });

  test("concurrent writes are followed by one shared read", async () => {
    const { shared, reads } = counted();
    const write = async (ms: number) => {
      await shared.writing(() => sleep(ms));
      return shared.afterWrites();
    };
    expect(await Promise.all([write(1), write(5), write(10), write(15)])).toEqual([1, 1, 1, 1]);
    expect(reads()).toBe(1);
  });

  test("a single writer does not wait", async () => {
    const { shared, reads } = counted();
    for (let turn = 1; turn <= 3; turn++) {
      await shared.writing(() => sleep(1));
      const read = shared.afterWrites();
      await new Promise(setImmediate);
      expect(reads(), "begun before any timer could have fired").toBe(turn);
      await read;
    }
  });

  test("a slow write does not delay the others, and gets its own read", async () => {
    const { shared } = counted();
    const order: string[] = [];
    const slow = shared.writing(() => sleep(300)).then(() => shared.afterWrites());
    const quick = shared.writing(() => sleep(1)).then(() => shared.afterWrites());
    void slow.then(() => order.push("slow"));
    void quick.then(() => order.push("quick"));
    expect(await Promise.all([quick, slow])).toEqual([1, 2]);
    expect(order).toEqual(["quick", "slow"]);
  });

  test("a failed write counts as a write, because it may have succeeded", async () => {
    const { shared } = counted();
    await shared.fresh();
    await expect(shared.writing(async () => Promise.reject(new Error("lost")))).rejects.toThrow("lost");
    expect(await shared.afterWrites()).toBe(2);
  });

  test("a failed read is not cached", async () => {
    let reads = 0;
    const shared = new SharedRead(async () => {
      if (++reads === 1) throw new Error("down");
      return reads;
    });
    await expect(shared.fresh()).rejects.toThrow("down");
    expect(await shared.fresh()).toBe(2);
  });
});

describe("quiet", () => {
  /** Like a machine with other work: a call comes when the process gets its turn. */
  const calls = async (quiet: Quiet, gapsMs: readonly number[]) => {
    quiet.heard();
    for (const gapMs of gapsMs) {
      await sleep(gapMs / 2);
      const busyUntil = performance.now() + gapMs / 2;
      while (performance.now() < busyUntil);
      quiet.heard();
    }
  };

  test("lasts until the calls are over, also where the gaps between them grow with the work on the machine", async () => {
    const quiet = new Quiet();
    const order: string[] = [];
    const calling = calls(quiet, [20, 60, 100, 160, 250]).then(() => order.push("the last call"));
    await quiet.lasts(120).then(() => order.push("quiet"));
    await calling;
    expect(order).toEqual(["the last call", "quiet"]);
  });

  test("a gap that is something else than work does not make every wait as long", async () => {
    const quiet = new Quiet();
    await calls(quiet, [1100]);
    const order: string[] = [];
    await Promise.all([
      quiet.lasts(20).then(() => order.push("quiet")),
      sleep(1000).then(() => order.push("a second later")),
    ]);
    expect(order).toEqual(["quiet", "a second later"]);
  });

  test.each([
    ["an answer that the caller has waited for", undefined],
    ["what another process hears", () => performance.now() - 1],
  ])("begins after %s", async (_, elsewhere) => {
    const quiet = new Quiet();
    quiet.heard();
    await sleep(200);
    if (!elsewhere) quiet.answered();
    const order: string[] = [];
    const at = elsewhere?.();
    await Promise.all([
      quiet.lasts(150, () => at).then(() => order.push("quiet")),
      sleep(50).then(() => order.push("while it lasts")),
    ]);
    expect(order).toEqual(["while it lasts", "quiet"]);
  });
});

describe("batches", () => {
  const counted = (answerMs: number) => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, void>(async (items) => {
      sizes.push(items.length);
      await sleep(answerMs);
    });
    /** Like an engine worker: sends the next request only after the answer to the last. */
    const worker = async (items: number) => {
      for (let item = 0; item < items; item++) await batcher.add(item);
    };
    return { sizes, worker };
  };

  test("requests close together are sent as one, and every caller gets the answer", async () => {
    const sent: number[][] = [];
    const batcher = new Batcher<number, string>(async (items) => {
      sent.push([...items]);
      return "done";
    });
    expect(await Promise.all([1, 2, 3].map((id) => batcher.add(id)))).toEqual(["done", "done", "done"]);
    expect(sent).toEqual([[1, 2, 3]]);
  });

  test("a batch never grows past its limit", async () => {
    const sizes: number[] = [];
    const batcher = new Batcher<number, void>(async (items) => void sizes.push(items.length));
    await Promise.all(Array.from({ length: 405 }, (_, id) => batcher.add(id)));
    expect(sizes).toEqual([200, 200, 5]);
  });

  test("once the number of workers is known, a batch is sent as soon as all of them wait", async () => {
    const { sizes, worker } = counted(2);
    await Promise.all(Array.from({ length: 12 }, () => worker(1)));
    // From now on no quiet period ends: a batch that waited for one would never be sent.
    const lasts = vi.spyOn(Quiet.prototype, "lasts").mockReturnValue(new Promise(() => {}));
    onTestFinished(() => lasts.mockRestore());
    await Promise.all(Array.from({ length: 12 }, () => worker(20)));
    expect(sizes).toEqual(Array.from({ length: 21 }, () => 12));
  });

  test("additional workers are noticed, and waited for", async () => {
    const { sizes, worker } = counted(20);
    await worker(1);
    await Promise.all(Array.from({ length: 4 }, () => worker(6)));
    expect(sizes[0]).toBe(1);
    expect(sizes).toContain(4);
    expect(sizes.length).toBeLessThan(13);
  });

  test("a failure reaches every caller in the batch, and does not affect the next batch", async () => {
    let calls = 0;
    const batcher = new Batcher<number, void>(async () => {
      if (++calls === 1) throw new Error("refused");
    });
    const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await batcher.add(3);
    expect(calls).toBe(2);
  });
});

test("work on one key is serialised, even after a failure", async () => {
  const locks = new KeyedLock();
  const order: string[] = [];
  const step = (name: string, fails = false) =>
    locks.run("key", async () => {
      order.push(`${name} begins`);
      await sleep(2);
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  await Promise.allSettled([step("a", true), step("b"), locks.run("other", async () => void order.push("other"))]);
  expect(order.filter((entry) => entry !== "other")).toEqual(["a begins", "a ends", "b begins", "b ends"]);
});

describe("backoff", () => {
  const policy = { ...defaultRetryPolicy, firstDelayMs: 100, longestDelayMs: 1000 };
  test("grows, is capped, and is spread by jitter", () => {
    expect([0, 1, 2, 9].map((attempt) => delayBefore(attempt, undefined, policy, () => 1))).toEqual([
      100, 200, 400, 1000,
    ]);
    expect(delayBefore(2, undefined, policy, () => 0)).toBe(200);
    expect(delayBefore(9, 30_000, policy, () => 0)).toBe(30_000);
    expect(
      delayBefore(1, 30_000, policy, () => 1),
      "callers that were refused together come back apart",
    ).toBe(30_200);
  });

  test("Retry-After is read as seconds or as a date", () => {
    const now = Date.parse("2026-01-01T00:00:00Z");
    expect(parseRetryAfter("7", now)).toBe(7000);
    expect(parseRetryAfter("Thu, 01 Jan 2026 00:00:09 GMT", now)).toBe(9000);
    expect(parseRetryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now)).toBe(0);
    expect([undefined, "", "soon"].map((text) => parseRetryAfter(text, now))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
