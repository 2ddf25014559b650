import { expect, test } from "vitest";
import { ProgressLog, slowing, steady } from "../../../provider/core/progress";

test("a day of polling every five seconds logs a few lines, and a change at once", () => {
  let now = 0;
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn() {} };
  const progress = new ProgressLog(log, slowing, () => now);
  for (; now < 24 * 3600 * 1000; now += 5000) progress.report((seconds) => `running after ${seconds} s`, "running");
  expect(lines.length).toBeLessThan(40);
  expect(lines.slice(0, 3)).toEqual(["running after 0 s", "running after 10 s", "running after 30 s"]);
  progress.report((seconds) => `done after ${seconds} s`, "done");
  expect(lines.at(-1)).toBe("done after 86400 s");
});

test("work is told in a line every five seconds, and in none when it is quick", () => {
  let now = 0;
  const lines: string[] = [];
  const log = { info: (line: string) => void lines.push(line), warn() {} };
  const progress = new ProgressLog(log, steady, () => now);
  for (let done = 1; done <= 120; done++) {
    now += 100;
    progress.report(() => `${done} done`);
  }
  expect(lines).toEqual(["50 done", "100 done"]);
});
