import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { argsOf } from "../../cases";
import { sharedEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, sharedStack, story } from "../../harness/stacks";
import { quick } from "../../modes/promises/shared";

/** What a user must learn before it is too late, and the summary after a destroy. */

const address = (ipCidr: string) => ({ type: "WhitelistedIp", args: { ipCidr } });
const program: Program = {
  office: address("203.0.113.7"),
  branch: address("203.0.113.8"),
  vpn: { type: "IpWhitelist", args: { addresses: ["203.0.113.9"] } },
  blue: { type: "Account", args: argsOf("Account") },
  sales: { type: "DataStore", args: argsOf("DataStore") },
};
const addresses = ["198.51.100.11"];
const environment: Program = {
  team: { type: "TeamEnvironment", args: { account: argsOf("Account"), whitelist: { addresses } } },
  safe: {
    type: "TeamEnvironment",
    args: { account: argsOf("Account"), whitelist: { addresses, wayBackIn: ["198.51.100.10"] } },
    opts: { protect: true },
  },
};
const pack = ["--policy-pack", "node_modules/pulumi-dataplatform/dist/policies/main.js"];

const emulator = sharedEmulator(quick);
const stack = sharedStack(emulator);
const chapter = story();

chapter("a preview tells of each list's first address, once, and of what nothing protects", async () => {
  stack.write({ ...program, ...environment });
  const { diagnostics, violations } = await expectOk(stack.operate("preview", ...pack));
  const warnings = diagnostics.filter(({ severity }) => severity === "warning").map(({ message }) => message.trim());
  const told = [
    /^IpWhitelist: the whitelist of the new account is empty, .* in wayBackIn, or you may/,
    // Whichever resource the engine asks about first.
    /^(IpWhitelist|WhitelistedIp): the whitelist is empty, and 203\.0\.113\.[789] would be the first on it/,
  ];
  expect(told.map((text) => warnings.filter((warning) => text.test(warning)).length)).toEqual([1, 1]);
  expect(warnings).toHaveLength(2);
  const unprotected = violations.filter(({ rule }) => rule === "protected-data").map(({ name }) => name);
  expect(unprotected.sort()).toEqual(["blue", "sales", "team-account"]);
});

chapter("an account's token can be saved to a file, and is printed nowhere", async () => {
  const { text } = await expectOk(stack.up(program));
  expect(text).not.toContain("the whitelist is empty");
  const { code, stdout, stderr } = await stack.pulumi("stack", "export", "--show-secrets", "--file", "it.json");
  expect(code, stderr).toBe(0);
  const account = emulator.state({ secrets: true }).accounts.find(({ name }) => name === "Blue");
  const token = account!.users[0]!.token;
  expect(readFileSync(join(stack.folder, "it.json"), "utf8")).toContain(token);
  expect(stdout + stderr + text).not.toContain(token);
});

chapter("destroy lists what stays at its end", async () => {
  const { stdout } = await stack.pulumi("destroy", "--yes", "--skip-preview", "--stack", "test");
  const summary = stdout.slice(stdout.indexOf("Diagnostics:"));
  expect(summary).toMatch(/account \d+ \(Blue\) stays on the platform: .* save it before \(pulumi stack export/);
  expect(summary).toMatch(/data store \d+ \(\S+\) stays on the platform/);
  expect(summary.match(/warning: /g)).toHaveLength(2);
});
