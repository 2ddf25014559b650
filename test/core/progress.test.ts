import { expect, test } from "vitest";
import { WaitProgress } from "../../provider/core/progress";

test("a day of polling every five seconds logs a few lines, and a change at once", () => {
  let now = 0;
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn() {} };
  const progress = new WaitProgress(log, () => now);
  for (; now < 24 * 3600 * 1000; now += 5000) progress.tell("running", (seconds) => `running after ${seconds} s`);
  expect(lines.length).toBeLessThan(40);
  expect(lines.slice(0, 3)).toEqual(["running after 0 s", "running after 10 s", "running after 30 s"]);
  progress.tell("done", (seconds) => `done after ${seconds} s`);
  expect(lines.at(-1)).toBe("done after 86400 s");
});
