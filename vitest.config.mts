import { defineConfig } from "vitest/config";

const minutes = 60_000;

/**
 * A tier is a folder: `npm run test:fast` runs test/fast/, and so on (CONTRIBUTING says what belongs where). The limit is
 * for one test, far above what it takes: it ends what hangs, and never decides whether something is fast enough.
 */
const limits = { fast: 1 * minutes, engine: 4 * minutes, release: 10 * minutes, sweep: 10 * minutes };

export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/no-skips.ts"],
    // One more than the cores of a small machine: a test of the engine waits a fifth of its time.
    maxWorkers: 3,
    projects: Object.entries(limits).map(([tier, limit]) => ({
      test: {
        name: tier,
        include: [`test/${tier}/**/*.test.ts`],
        globalSetup: tier === "release" ? ["test/harness/release-setup.ts"] : [],
        testTimeout: limit,
        hookTimeout: limit,
        pool: "forks",
        // Loading the modules anew for every file would take as long as the tests of the fast tier.
        isolate: false,
        // Nothing is tried twice: a test that fails once has found a defect, of the product or of the test.
        retry: 0,
        // The second: reading more certificates costs every process that a test starts.
        env: { TEST_TIER: tier, NODE_EXTRA_CA_CERTS: "" },
      },
    })),
  },
});
