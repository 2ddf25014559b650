import { expect, onTestFinished, test } from "vitest";
import { addressesOf, ownEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { expectOk } from "../../harness/stacks";
import { program, Team, unchanged } from "../../harness/team";

/* A slice; what a pipeline refuses, plans that were tampered with, and drift are in test/release/gitops. */
test("a pull request shows what would change, and changes nothing; its merge deploys it", async () => {
  const emulator = await ownEmulator();
  const team = await Team.start(emulator);
  onTestFinished(() => team.remove());
  const addresses = () => addressesOf(emulator);
  team.propose("home", (config) => config.replace("office: 203.0.113.7", "home: 192.0.2.44"));
  const preview = await expectOk(team.preview("home"));
  // One line of each job before.
  expect(preview.stdout).toMatch(/^snapshot of dev: 0 resources, state \w{12}, written to snapshot\/dev\.json\n/);
  expect(preview.stdout).toMatch(/^preview of dev: the plan is in \S+, to be judged and shown by "seal"$/m);
  // As many as the table lists.
  expect(preview.report).toMatch(/^### Preview of `dev`\n\n\*\*4 to create\*\*\n/);
  expect(preview.report.match(/^\| create \|/gm)).toHaveLength(4);
  expect(preview.report).toContain("| create | `WhitelistedIp` `home` | `ipCidr`: `192.0.2.44` |");
  expect(preview.report.match(/^\| `(addressIds|packageSet|notebookPolicy)` \| .*known after/gm)).toHaveLength(3);
  expect(preview.report).toContain(`Platform: \`${emulator.url}\`, \`account 1001 (Analytics)\`.`);
  expect(preview.report).toContain(
    'takes the place of `[{"access":"allow","action":["read"],"condition":{"svcGroups":[203]}}]`',
  );
  expect(addresses()).toEqual([]);
  const blind = await team.preview("home", { env: { DATAPLATFORM_API_TOKEN: "no-such-token" } });
  expect(blind.code).toBe(1);
  expect(blind.report).toMatch(/- not verifiable: this job cannot read the platform: .*\(401\)/);

  team.merge("home");
  const applied = await expectOk(team.apply());
  expect(applied.report).toContain("**Done: 4 of 4 changes of the plan**: create ");
  // The engine's output is in the log once.
  expect(applied.stdout.match(/^Resources:\n {4}\+ 5 created$/gm)).toHaveLength(1);
  expect(addresses().sort()).toEqual(["192.0.2.44", "2001:db8::7"]);
  expect(preview.report).toContain("**Login whitelist: + `192.0.2.44`, + `2001:db8::7`; the list is empty now: ");
  expect(emulator.requests().requests.every(({ status }) => status === 200 || status === 401)).toBe(true);

  // What dynamic mode leaves in the state is no foreign code.
  team.propose("plugin", (config) => config.replace("config:\n", "config:\n  dataplatform:mode: plugin\n"));
  const asked = await team.preview("plugin");
  const [, digest] = /DATAPLATFORM_APPROVED_RULES to ([0-9a-f]{32})/.exec(asked.report) ?? [];
  const approved = { env: { DATAPLATFORM_APPROVED_RULES: digest } };
  await expectOk(team.preview("plugin", approved));
  team.merge("plugin");
  await expectOk(team.apply());
  expect((await expectOk(team.preview())).report).toContain("No changes.");

  // Nobody has declared it, so it is no drift; the merge would remove it all the same.
  const byHand = (ip_cidr: string) => request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  await byHand("198.51.100.77");
  const list =
    'new dataplatform.IpWhitelist("logins", { addresses: ["192.0.2.1"], exclusive: true, keep: ["192.0.2.1"] });\n';
  team.propose("exclusive", unchanged, { "index.ts": `${program}\n${list}` });
  const closing = await expectOk(team.preview("exclusive"));
  const gone = "− `198.51.100.77` (exclusive: on the platform, not declared)";
  expect(closing.report).toContain(`**Login whitelist: + \`192.0.2.1\`; ${gone}**`);
  expect(closing.report).toContain("Drift: none.");
  team.merge("exclusive");
  await byHand("198.51.100.78");
  const refused = await team.apply();
  expect(refused.report).toContain(
    "- drifted: the login whitelist has changed since the preview: 198.51.100.78 would be removed too",
  );
  expect(addresses()).toContain("198.51.100.78");
});
