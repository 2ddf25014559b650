import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import whole from "./vitest.config.mts";

/** `npm run test:fast`: everything that needs no engine. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      env: { TEST_TIER: "fast" },
      maxWorkers: 4,
      // What starts the compiler, or a tool again and again, is slow without the engine too.
      exclude: [
        ...configDefaults.exclude,
        "**/*.engine.test.ts",
        "test/{types,help,engine-tool,tools/release-refusals}.test.ts",
      ],
    },
  }),
);
