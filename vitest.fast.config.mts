import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import whole from "./vitest.config.mts";

/** `npm run test:fast`: everything that needs no engine. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      // The second: reading more certificates costs every process that a test starts.
      env: { TEST_TIER: "fast", NODE_EXTRA_CA_CERTS: "" },
      // Each worker loads all modules once.
      maxWorkers: 3,
      // What starts the compiler, or a tool or a platform again and again, is slow without the engine too.
      exclude: [
        ...configDefaults.exclude,
        "**/*.engine.test.ts",
        // Random runs and kills: what they find, the whole suite finds.
        "test/chaos/{in-process,refresh,two-stacks,rehearsal,kill}.test.ts",
        "test/lives/faults.test.ts",
        "test/{types,help,engine-tool,tools/release-refusals,emulator/cli,cli/coverage-html,cli/conform/readings,cli/conform/second-platform,plugin/protocol,plugin/config,plugin/functions,policies/program}.test.ts",
      ],
    },
  }),
);
