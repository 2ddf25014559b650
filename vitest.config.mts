import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: "forks",
    // The engine, its language host and the provider process of one test already use both cores of a small machine.
    maxWorkers: 2,
  },
});
