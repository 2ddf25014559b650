import { expect, test } from "vitest";
import { accountOf, ownEmulator, writesTo } from "../../harness/emulators";
import { otherSettingsMessage } from "../../harness/engine-messages";
import { expectOk, ownStack } from "../../harness/stacks";

const address = (last: number) => ({ type: "WhitelistedIp", args: { ipCidr: `203.0.113.${last}` } });

/* What docs/moving.md says about a move to a stack that has resources of its own and other settings. */
test("a resource moves to a stack with other settings once the source's default provider has another name", async () => {
  const emulator = await ownEmulator();
  const stack = await ownStack(emulator, { config: { retries: "2" } });
  const pulumi = (...args: readonly string[]) => stack.pulumi(...args);
  const other = ["--stack", "other"];
  await expectOk(stack.up({ moved: address(1), stays: address(2) }));
  await expectOk(pulumi("stack", "init", "other", "--no-select"));
  stack.write({ own: address(3) });
  await expectOk(pulumi("up", "--yes", "--skip-preview", ...other));
  emulator.clearRequests();

  const { stdout } = await expectOk(pulumi("stack", "--show-urns", "--stack", "test"));
  const urnOf = (what: RegExp) => stdout.match(/urn:\S+/g)!.find((urn) => what.test(urn))!;
  const move = () => pulumi("state", "move", "--source", "test", "--dest", "other", "--yes", urnOf(/::moved$/));
  const [before, after] = otherSettingsMessage.split("…") as [string, string];
  expect((await move()).stderr).toMatch(new RegExp(`${before}\\S+${after}`));
  await expectOk(pulumi("state", "rename", "--yes", "--stack", "test", urnOf(/pulumi:providers:/), "default_test"));
  await expectOk(move());

  stack.write({ own: address(3), moved: address(1) });
  for (const command of [["preview"], ["up", "--yes", "--skip-preview"]])
    await expectOk(pulumi(...command, "--expect-no-changes", ...other));
  expect((await expectOk(stack.up({ stays: address(2) }))).changed).toEqual({});
  expect([writesTo(emulator), accountOf(emulator).whitelist.length]).toEqual([[], 3]);
});
