import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outcomeOf } from "./engine-events";
import type { Args } from "./lifecycle";
import { expectNoChanges, type Step } from "./shared-life";
import { errorsAbout, type Living, programOf, resourceIn, type SharedRun } from "./shared-run";
import type { Outcome, StateResource, TestStack } from "./stack";

/**
 * One bulk import of all resources of the stack into an empty one, and the preview of the program that matches it. An
 * import goes through the plugin, whatever the mode of the program.
 */
export class Imports<L extends Living> {
  readonly #imported: Step;
  readonly #previewed: Step;
  #ids: ReadonlyMap<string, string> = new Map();

  constructor(run: SharedRun, lives: readonly L[], matching: (life: L) => Args) {
    this.#imported = run.step("the import", async ({ stack, empty }) => {
      const on = await empty({ mode: "plugin" });
      const { resources } = await stack.exportState();
      const wanted = lives.map(({ type }) => ({ type: tokenOf(type), name: type, id: idOf(resources, type) }));
      this.#ids = new Map(wanted.map(({ name, id }) => [name, id]));
      const file = join(on.folder, "import.json");
      writeFileSync(file, JSON.stringify({ resources: wanted }));
      return { outcome: await importInto(on, "--file", file), on };
    });
    this.#previewed = run.step("the preview after the import", async ({ empty }) => {
      const on = await empty({ mode: "plugin" });
      return { outcome: await on.preview(programOf(lives, matching)), on };
    });
  }

  /** The test of one resource. */
  testsOf({ type }: L): void {
    test("is imported by its id, and the matching program shows no changes", async () => {
      const moment = await this.#imported();
      expect(resourceIn(moment, type).id).toBe(this.#ids.get(type));
      expect(errorsAbout((await this.#previewed()).outcome, type)).toEqual([]);
      await expectNoChanges(this.#previewed, type);
    });
  }

  /** The test of all together. */
  testAll(): void {
    test("are imported in one go, and the matching program shows no changes", async () => {
      const { outcome } = await this.#imported();
      expect(outcome.code, outcome.text).toBe(0);
      await expectNoChanges(this.#previewed);
    });
  }
}

/** The import of one resource by its id, which may fail. */
export function importAlone(run: SharedRun, type: string): Step {
  return run.step(`the import of ${type}`, async ({ stack, empty }) => {
    const on = await empty({ mode: "plugin" });
    const { resources } = await stack.exportState();
    return { outcome: await importInto(on, tokenOf(type), type, idOf(resources, type)), on };
  });
}

async function importInto(stack: TestStack, ...what: readonly string[]): Promise<Outcome> {
  const flags = ["--generate-code=false", "--protect=false", "--yes", "--skip-preview", "--stack", "test"];
  return outcomeOf(await stack.pulumi("import", ...what, ...flags), "");
}

function tokenOf(type: string): string {
  return `dataplatform:index:${type}`;
}

function idOf(resources: readonly StateResource[], type: string): string {
  return resources.find(({ urn }) => urn.endsWith(`::${type}`))?.id ?? "";
}
