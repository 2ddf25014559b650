import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";

/** One emulator for the tests of a file, each of which finds it as new. To be called where tests are declared. */
export function freshEmulator(options: EmulatorOptions = {}): Emulator {
  const emulator = {} as Emulator;
  beforeAll(async () => void Object.assign(emulator, await startEmulator(options)));
  beforeEach(() => emulator.reset());
  afterAll(() => emulator.close());
  return emulator;
}

/** An emulator for one test: of another kind than that of the file, or beside it. */
export async function ownEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}
