import { type Emulator, startEmulator } from "../../../emulator";
import type { Mode } from "../../harness/modes";
import { type Outcome, type Program, type StackOptions, TestStack } from "../../harness/stack";

/** A platform and a stack on it, both removed when the test file ends. */
export class Bench {
  private constructor(
    readonly emulator: Emulator,
    readonly stack: TestStack,
  ) {}

  static async open(
    mode: Mode,
    { extended = false, ...options }: StackOptions & { readonly extended?: boolean } = {},
  ): Promise<Bench> {
    const emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0, extended });
    const token = emulator.tokens["admin"]!;
    const config = { ...(extended && { extendedApi: "true" }), ...options.config };
    return new Bench(emulator, await TestStack.create({ baseUrl: emulator.url, token, mode, ...options, config }));
  }

  /** The account that the stack manages. */
  account(): ReturnType<Emulator["state"]>["accounts"][number] {
    return this.emulator.state({ secrets: true }).accounts.find(({ id }) => id === 1001)!;
  }

  addresses(): string[] {
    return this.account()
      .whitelist.map(({ ip_cidr }) => ip_cidr)
      .sort();
  }

  packagesOf(environment: number): string[] {
    const { python_package } = this.account().environments.find(({ id }) => id === environment)!;
    return Object.keys(python_package).sort();
  }

  async urns(): Promise<string[]> {
    return (await this.stack.exportState()).resources.map(({ urn }) => urn);
  }

  async close(): Promise<void> {
    this.stack?.remove();
    await this.emulator?.close();
  }
}

/** The program with a new logical name for every resource, so that the engine sees new resources. */
export function renamed(program: Program, suffix: string): Program {
  return Object.fromEntries(Object.entries(program).map(([name, spec]) => [`${name}-${suffix}`, spec]));
}

export function flagged(flag: string, values: readonly string[]): string[] {
  return values.flatMap((value) => [flag, value]);
}

/** The same step for every resource. */
export function everyOne(program: Program, op: string): Record<string, string> {
  return Object.fromEntries(Object.keys(program).map((name) => [name, op]));
}

export function messagesOf({ diagnostics }: Outcome): string {
  return diagnostics.map(({ message }) => message).join("\n");
}
