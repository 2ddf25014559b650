import { expect, test } from "vitest";
import { Rejections } from "../../../provider/plugin/rejections";

const { signal } = new AbortController();
/** What Pulumi's runtime does: nobody waits for the promise. */
const leaveBehind = (message: string) =>
  void (async () => {
    await new Promise((next) => setTimeout(next, 5));
    throw new Error(message);
  })();

test("what fails unseen fails its own work, and no other that is under way", async () => {
  // Only what this class installs may catch it: vitest counts an unhandled rejection as a failure.
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  try {
    const rejections = new Rejections();
    const fine = rejections.during(signal, () => new Promise<string>((done) => setTimeout(() => done("fine"), 60)));
    const failing = rejections.during(signal, () => {
      leaveBehind("lost");
      return new Promise<string>((done) => setTimeout(() => done("too late"), 100));
    });
    await expect(failing).rejects.toThrow("lost");
    await expect(fine).resolves.toBe("fine");
    await new Promise((next) => setTimeout(next, 120));
    expect(process.listenerCount("unhandledRejection")).toBe(0);
  } finally {
    for (const other of others) process.on("unhandledRejection", other);
  }
});

test("a run that ends is the end of its work", async () => {
  const controller = new AbortController();
  const waiting = new Rejections().during(controller.signal, () => new Promise(() => {}));
  controller.abort();
  await expect(waiting).rejects.toThrow("the run ended");
});
