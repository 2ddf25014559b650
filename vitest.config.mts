import { defineConfig } from "vitest/config";

const minutes = 60_000;

/**
 * A tier is made of folders under test/: `npm run test:fast` runs test/fast/, and so on; what lies in test/modes/ runs in
 * one mode with the engine's tier and in the other with the release's. The limit is for one test, far above what it takes:
 * it ends what hangs, and never decides whether something is fast enough.
 */
const tiers = {
  fast: { folders: ["fast"], limit: 2 * minutes },
  engine: { folders: ["engine", "modes"], limit: 5 * minutes },
  release: { folders: ["release", "modes"], limit: 15 * minutes },
  sweep: { folders: ["sweep"], limit: 15 * minutes },
};

export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/no-skips.ts"],
    // One more than the cores of a small machine: a test of the engine waits a fifth of its time.
    maxWorkers: 3,
    projects: Object.entries(tiers).map(([tier, { folders, limit }]) => ({
      test: {
        name: tier,
        include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
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
