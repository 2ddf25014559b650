import { describe, expect, test } from "vitest";
import { root, run } from "../harness/engine";
import { step } from "../harness/steps";

describe("the harness says what went wrong", () => {
  test("a program that is killed at its limit: which, which limit, and what it was doing", async () => {
    const script = "console.log('half way'); setInterval(() => {}, 1000)";
    const ran = run(process.execPath, ["-e", script, `${root}test`], { cwd: root, env: process.env, timeoutMs: 3000 });
    await expect(ran).rejects.toThrow(/^killed at its limit of 3 s: node -e .* .\/?test\nits last lines:\nhalf way$/);
  });

  test("a step that failed: its own error once, and then which step it was", async () => {
    let runs = 0;
    const made = step("up", async () => {
      runs++;
      throw new Error("no space left");
    });
    const next = step("destroy", () => made());
    await expect(made()).rejects.toThrow("no space left");
    await expect(next()).rejects.toThrow("not run: up failed");
    await expect(next()).rejects.toThrow("not run: up failed");
    expect(runs).toBe(1);
  });
});
