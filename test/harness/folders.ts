import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";

const make = (): string => realpathSync(mkdtempSync(join(tmpdir(), "dataplatform-")));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

/** An empty folder for the tests of a file. To be called where tests are declared. */
export function testFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}

/** An empty folder for one test. */
export function ownFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}
