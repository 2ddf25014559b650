import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const minutes = 60_000;

// A test sees nothing of the person or of the job that runs it: the pipeline asks more where CI is set, and a command
// takes its settings from the environment. Where the engine is remains known.
const ofTheRunner = /^(CI$|CI_|GITHUB_|GITLAB_|PULUMI_|DATAPLATFORM_(?!ENGINE_))/;
for (const name of Object.keys(process.env)) if (ofTheRunner.test(name)) delete process.env[name];

/**
 * A tier is made of folders under test/: `npm run test:fast` runs test/fast/, and so on; what lies in test/modes/ runs in
 * one mode with the engine's tier and in the other with the release's. The limit is for one test, far above what it takes:
 * it ends what hangs, and never decides whether something is fast enough.
 */
const tiers = {
  fast: { folders: ["fast"], limit: 2 * minutes },
  engine: { folders: ["engine", "modes"], limit: 15 * minutes },
  release: { folders: ["release", "modes"], limit: 15 * minutes },
  sweep: { folders: ["sweep"], limit: 15 * minutes },
};

/** Files that take longest, although most of them are short: on a fresh clone vitest knows only their size. */
const longest = [
  "engine/resources/",
  "languages/",
  "every-reading",
  "every-change",
  "gitops/",
  "export-accounts",
  "release/first-steps",
  "release/adding",
  "compat/",
  "cli/rehearse",
  "policies/pack",
  "engine/examples",
  "lives/",
  "resources/grants.test",
  "promises/",
  "resources/grants-together",
  "fast/commands/",
];

/**
 * Starts the longest files first, so that none of them is left to run alone at the end, and the files of one tier after
 * the other: a worker that is followed by a file of another tier ends, and the next one loads all modules anew.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = Object.keys(tiers).toReversed();
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const found = longest.findIndex((part) => moduleId.includes(part));
      return order.indexOf(project.name) * 100 + (found === -1 ? longest.length : found);
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    reporters: ["default", "./test/harness/no-skips.ts"],
    sequence: { sequencer: LongestFirst },
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
        // The second: reading more certificates costs every process that a test starts. The third: also under
        // `npx vitest`, commands are named as after `npm test`.
        env: { TEST_TIER: tier, NODE_EXTRA_CA_CERTS: "", npm_lifecycle_event: "test" },
      },
    })),
  },
});
