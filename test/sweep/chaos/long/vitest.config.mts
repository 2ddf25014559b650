import { defineConfig } from "vitest/config";

/** The long form, `npm run chaos`: sequential, without timeouts. */
export default defineConfig({
  test: {
    root: new URL("../../../..", import.meta.url).pathname,
    include: ["test/sweep/chaos/{chaos,fuzz,moves,rehearsal}.test.ts", "test/sweep/lives/*.test.ts"],
    testTimeout: 3 * 3_600_000,
    hookTimeout: 600_000,
    pool: "forks",
    maxWorkers: 1,
    bail: 0,
  },
});
