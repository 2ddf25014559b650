import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: "forks",
    // Loading the modules anew for every file would take as long as the tests of the fast tier.
    isolate: false,
    reporters: ["default", "./test/harness/no-skips.ts"],
    // Real engines, kills and time-outs on a shared machine: what fails once in CI is tried once more, and reported.
    retry: process.env["CI"] ? 1 : 0,
    // One more than the cores of a small machine: a test of the engine waits a fifth of its time.
    maxWorkers: 3,
  },
});
