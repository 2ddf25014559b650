import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import whole from "./vitest.config.mts";

/** `npm run test:fast`: everything that needs no engine. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      env: { TEST_TIER: "fast" },
      // Loading the modules anew for every file takes as long as the tests.
      isolate: false,
      // types.test.ts is a run of the compiler, which `npm run check` is for.
      exclude: [...configDefaults.exclude, "**/*.engine.test.ts", "test/types.test.ts"],
    },
  }),
);
