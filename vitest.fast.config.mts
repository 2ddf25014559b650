import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import whole from "./vitest.config.mts";

/** `npm run test:fast`: everything that needs no engine. */
export default mergeConfig(
  whole,
  defineConfig({
    test: {
      env: { TEST_TIER: "fast" },
      exclude: [...configDefaults.exclude, "**/*.engine.test.ts"],
    },
  }),
);
