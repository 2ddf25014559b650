import type { FaultRule } from "./faults";
import { addUserWith } from "./found";
import type { PlatformState } from "./model";
import { accountIds, seed, tokens } from "./seed";
import { Listener, type ReceivedRequest } from "./server";
import { resolveSwitches, type Switches } from "./switches";
import { World } from "./world";

export type { FaultKind } from "./faults";
export type { PlatformState } from "./model";
export { accountIds } from "./seed";
export type { ReceivedRequest } from "./server";
export { type Switches, type SwitchName, switchCatalogue } from "./switches";

export interface SecondPlatform {
  readonly url: string;
  readonly tokens: Readonly<typeof tokens>;
  /** A file that tells the provider how this platform wants its requests. */
  readonly profile?: string | undefined;
  /** A new user of the first account whose one role allows exactly these permissions (texts of part 5). */
  tokenWith(permissions: readonly string[]): string;
  /** A copy of everything the platform holds. */
  state(): PlatformState;
  /** What was received, in order. */
  requests(): readonly ReceivedRequest[];
  clearRequests(): void;
  /** Advances the platform's clock, so that delays in seconds end without waiting. */
  advance(ms: number): void;
  fault(rule: FaultRule): void;
  clearFaults(): void;
  close(): Promise<void>;
}

export async function startSecondPlatform(given: Partial<Switches> = {}): Promise<SecondPlatform> {
  const switches = resolveSwitches(given);
  const world = new World(switches, seed());
  const listener = new Listener(world);
  const url = await listener.listen();
  return {
    url,
    tokens,
    tokenWith: (permissions) => addUserWith(world, accountIds.own, permissions).token,
    state: () => structuredClone(world.data),
    requests: () => structuredClone(listener.entries),
    clearRequests() {
      listener.entries = [];
    },
    advance: (ms) => world.advance(ms),
    fault: (rule) => listener.faults.add(rule),
    clearFaults: () => listener.faults.clear(),
    close: () => listener.close(),
  };
}
