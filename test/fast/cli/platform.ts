import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import type { StackConfig } from "../../../cli/pulumi/stack";
import { StatusLine } from "../../../cli/terminal/status-line";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator";

interface Platform {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** An emulator for the tests of one file, as new before each of them. */
export function testEmulator(options: EmulatorOptions = {}): () => Emulator {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator(options);
  });
  beforeEach(() => {
    emulator.reset();
    emulator.setFaults({ rules: [] });
    emulator.clearRequests();
  });
  afterAll(() => emulator.close());
  return () => emulator;
}

/** A folder for the tests of one file. */
export function testFolder(): () => string {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "cli-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return () => folder;
}

/** Without a terminal: a word of progress is a failure. */
export const quiet = () => new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });

/** The configuration of a stack. `more`: settings by name. */
export function configOf({ url, tokens }: Platform, token = "admin", more: Record<string, string> = {}): StackConfig {
  const settings = { baseUrl: url, apiToken: tokens[token] ?? token, retries: "0", ...more };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dataplatform:${name}`, { value }]));
}

/** The same, for commands that need no stack. */
export const envOf = ({ url, tokens }: Platform, token = "admin") => ({
  DATAPLATFORM_BASE_URL: url,
  DATAPLATFORM_API_TOKEN: tokens[token] ?? token,
  DATAPLATFORM_RETRIES: "0",
});
