import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { ownEmulator } from "../../harness/emulators";
import { mode, ownStack } from "../../harness/stacks";
import { descendants, kill, providersIn, startUp } from "../../sweep/chaos/real-engine";

/** Where the CLI is killed, nobody records any more what a provider does. */

test(`in ${mode} mode, a provider that waits ends with a killed engine, and sends nothing more`, async () => {
  const emulator = await ownEmulator({ waitSeconds: 3600 });
  const stack = await ownStack(emulator, { mode });
  const args = { name: "long", wait: true, tableRefresh: { dbName: "default", hiveTable: "daily_ticks" } };
  stack.write({ job: { type: "Command", args } });
  const { child } = startUp(stack);
  const polls = () => emulator.requests().counts["commands.history"] ?? 0;
  while (polls() === 0) await setTimeout(50);
  const family = descendants(child.pid!);
  const providers = providersIn(family);
  expect(providers).not.toEqual([]);
  for (const { pid } of family) if (!providers.some((one) => one.pid === pid)) kill(pid);
  kill(child.pid!);
  const isAlive = ({ pid }: { readonly pid: number }) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (providers.some(isAlive)) await setTimeout(50);
  const sent = emulator.requests().counts;
  await setTimeout(1000);
  expect(emulator.requests().counts).toEqual(sent);
});
