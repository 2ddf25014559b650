import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";

/** A run with a skipped test fails, unless the test names the platform that it cannot run on: a gap must be seen. */
export default class NoSkips implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // With `-t`, what does not match counts as skipped.
    if (this.#vitest?.config.testNamePattern) return;
    const skipped = modules
      .flatMap((module) => [...module.children.allTests("skipped")].map((test) => titleOf(module, test)))
      .filter((title) => !/\b(Linux|macOS|Windows)\b/.test(title));
    if (skipped.length === 0) return;
    const advice = "Make it run, or name the platform (Linux, macOS, Windows) that it cannot run on.";
    process.stderr.write(`\nSkipped tests fail the run:\n${skipped.join("\n")}\n${advice}\n`);
    process.exitCode = 1;
  }
}

function titleOf(module: TestModule, test: TestCase): string {
  return `  ${module.relativeModuleId} > ${test.fullName}`;
}
