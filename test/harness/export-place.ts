import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll } from "vitest";
import type { Emulator, EmulatorOptions } from "../../emulator";
import { sharedEmulator, writesTo } from "./emulators";
import { engineFolder, type Ran, run } from "./engine";
import { testFolder } from "./folders";
import { type KeyService, keyService } from "./key-service";
import { environment } from "./stack";
import { expectOk } from "./stacks";

/** An account to export, and a folder for the project that is made of it; both are there while the tests of a file run. */
export class ExportPlace {
  readonly emulator: Emulator;
  readonly folder = testFolder();
  readonly project = join(this.folder, "platform");
  env!: NodeJS.ProcessEnv;
  #keys!: KeyService;

  constructor(options: EmulatorOptions, env: NodeJS.ProcessEnv = {}) {
    this.emulator = sharedEmulator(options);
    mkdirSync(join(this.folder, "state"));
    beforeAll(async () => {
      const { url: baseUrl, tokens } = this.emulator;
      this.#keys = await keyService();
      const quick = { PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...this.#keys.env };
      this.env = environment(this.folder, { baseUrl, token: tokens["admin"]!, env: { ...quick, ...env } });
    });
  }

  /** Makes a stack of the project; every later run of it is spared the passphrase. */
  async init(stack: string): Promise<void> {
    await this.pulumi(["stack", "init", stack]);
    const file = join(this.project, `Pulumi.${stack}.yaml`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/^encryptionsalt:.*$/m, this.#keys.config));
  }

  /** Runs pulumi in the project; it must succeed. */
  async pulumi(args: readonly string[], env = this.env): Promise<Ran> {
    const flags = ["--non-interactive", "--color", "never"];
    return expectOk(run(join(engineFolder(), "pulumi"), [...args, ...flags], { cwd: this.project, env }));
  }

  /** A preview that shows no changes, in which Pulumi checks the types of the program, as it does for users. */
  preview(): Promise<Ran> {
    const env = { ...this.env, PULUMI_NODEJS_TRANSPILE_ONLY: "false" };
    return this.pulumi(["preview", "--expect-no-changes", "--diff"], env);
  }

  writes(): string[] {
    return writesTo(this.emulator);
  }
}

export const importing = (file = "import.json") => ["import", "--file", file, "--generate-code=false", "--yes"];
