import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { engineFolder, type Ran, run } from "./engine";
import { environment } from "./stack";

/** An account to export, and a folder for the project that is made of it; both are there while the tests of a file run. */
export class ExportPlace {
  emulator!: Emulator;
  folder!: string;
  project!: string;
  env!: NodeJS.ProcessEnv;

  constructor(options: Parameters<typeof startEmulator>[0], env: NodeJS.ProcessEnv = {}) {
    beforeAll(async () => {
      this.emulator = await startEmulator(options);
      this.folder = mkdtempSync(join(tmpdir(), "dataplatform-export-"));
      this.project = join(this.folder, "platform");
      mkdirSync(join(this.folder, "state"));
      const { url: baseUrl, tokens } = this.emulator;
      const quick = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
      this.env = environment(this.folder, { baseUrl, token: tokens["admin"]!, env: { ...quick, ...env } });
    });
    afterAll(async () => {
      await this.emulator?.close();
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Runs pulumi in the project, or elsewhere; it must succeed. */
  async pulumi(args: readonly string[], { cwd = this.project, env = this.env } = {}): Promise<Ran> {
    const flags = ["--non-interactive", "--color", "never"];
    const ran = await run(join(engineFolder(), "pulumi"), [...args, ...flags], { cwd, env });
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    return ran;
  }

  /** A preview that shows no changes, in which Pulumi checks the types of the program, as it does for users. */
  preview(...flags: readonly string[]): Promise<Ran> {
    const env = { ...this.env, PULUMI_NODEJS_TRANSPILE_ONLY: "false" };
    return this.pulumi(["preview", "--expect-no-changes", "--diff", ...flags], { env });
  }

  writes(): string[] {
    const { requests } = this.emulator.requests();
    return requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  }
}

export const importing = (file = "import.json") => ["import", "--file", file, "--generate-code=false", "--yes"];
