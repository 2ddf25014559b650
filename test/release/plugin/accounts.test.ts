import { expect } from "vitest";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, sharedStack, story } from "../../harness/stacks";

const emulator = sharedEmulator();
const stack = sharedStack(emulator);

/** The second account's whitelist in the seed. */
const seeded = ["192.0.2.10", "2001:db8::10"];

const newest = () => emulator.state().accounts.at(-1)!;

/** A new account and an address in it, through a provider whose token is unknown until the account exists. */
function newAccount(address: string): Program {
  return {
    team: { type: "Account", args: { name: "Team Blue", subAccountCreation: true } },
    inside: { type: "Provider", args: { baseUrl: emulator.url, apiToken: { $ref: "team.authenticationToken" } } },
    blue: { type: "WhitelistedIp", args: { ipCidr: address }, opts: { provider: "inside" } },
    here: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.61" } },
  };
}

const chapter = story();
chapter("previewing with an unknown provider sends nothing", async () => {
  emulator.clearRequests();
  const preview = await expectOk(stack.preview(newAccount("203.0.113.60")));
  expect(preview.changed).toEqual({ team: "create", blue: "create", here: "create" });
  expect(emulator.requests().requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

chapter("one run creates an account and whitelists an address in it", async () => {
  await expectOk(stack.up());
  expect(newest().name).toBe("Team Blue");
  expect(addressesOf(emulator, newest().id)).toEqual(["203.0.113.60"]);
  expect(addressesOf(emulator)).toEqual(["203.0.113.61"]);
  expect((await expectOk(stack.preview())).changed).toEqual({});
});

chapter("neither its token nor that of the environment is in the state", async () => {
  const { text } = await stack.exportState();
  for (const account of emulator.state({ secrets: true }).accounts)
    for (const { token } of account.users) expect(text).not.toContain(token);
});

chapter("everything is destroyed through its own account", async () => {
  await expectOk(stack.destroy());
  const left = emulator.state().accounts.flatMap(({ whitelist }) => whitelist.map(({ ip_cidr }) => ip_cidr));
  expect(left).toEqual(seeded);
});
