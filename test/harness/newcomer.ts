import { execFileSync } from "node:child_process";
import { type Emulator, startEmulator } from "../../emulator";
import { type Ran, run } from "./engine";
import { ProjectCopy } from "./project-copy";
import { environment } from "./stack";
import { expectOk } from "./stacks";

/** Somebody who types what a page says: in a clone, with a home of their own. Only the emulator's port and the place of the state are others. */
export class Newcomer {
  readonly clone = new ProjectCopy();
  readonly emulator: Emulator;
  readonly env: NodeJS.ProcessEnv;

  private constructor(emulator: Emulator) {
    this.emulator = emulator;
    const { PULUMI_BACKEND_URL: _, NODE_OPTIONS: __, ...inherited } = environment(this.clone.around, {});
    this.env = {
      ...inherited,
      HOME: this.clone.around,
      // npm's own settings stay those of the machine. The set-up has filled its cache: see `inject("npmProject")` there.
      npm_config_cache: npmSetting("cache"),
      npm_config_userconfig: npmSetting("userconfig"),
      npm_config_offline: "true",
      npm_config_audit: "false",
      PULUMI_SKIP_CONFIRMATIONS: "true",
    };
  }

  static async start(): Promise<Newcomer> {
    return new Newcomer(await startEmulator());
  }

  /**
   * The commands in the blocks of a text, for this emulator. A local login would keep the state in the home folder of
   * whoever runs the tests, whatever HOME says.
   */
  commandsIn(text: string): string {
    return [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
      .map(([, commands]) => commands!)
      .join("\n")
      .replaceAll("http://127.0.0.1:4010", this.emulator.url)
      .replace("pulumi login --local", `pulumi login file://${this.clone.around}`);
  }

  async sh(cwd: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return expectOk(run("sh", ["-ec", script], { cwd, env: { ...this.env, ...env }, timeoutMs: 500_000 }));
  }

  addresses(): string[] {
    return this.emulator.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr);
  }

  async remove(): Promise<void> {
    await this.emulator.close();
    this.clone.remove();
  }
}

const npmSetting = (name: string): string =>
  execFileSync("npm", ["config", "get", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
