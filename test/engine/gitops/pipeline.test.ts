import { expect, onTestFinished, test } from "vitest";
import { addressesOf, ownEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { expectOk } from "../../harness/stacks";
import { Team } from "../../harness/team";

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
  expect(preview.report).toMatch(/^### Preview of `dev`\n\n\*\*3 to create\*\*\n/);
  expect(preview.report.match(/^\| create \|/gm)).toHaveLength(3);
  expect(preview.report).toContain("| create | `IpWhitelist` `logins` | `addresses`: ");
  expect(preview.report.match(/^\| `(whitelist|packageSet|notebookPolicy)` \| .*known after/gm)).toHaveLength(3);
  expect(preview.report).toContain(`Platform: \`${emulator.url}\`, \`account 1001 (Analytics)\`.`);
  expect(preview.report).toContain(
    'takes the place of `[{"access":"allow","action":["read"],"condition":{"svcGroups":[203]}}]`',
  );
  expect(addresses()).toEqual([]);
  const blind = await team.preview("home", { env: { DATAPLATFORM_API_TOKEN: "no-such-token" } });
  expect(blind.code).toBe(1);
  expect(blind.report).toMatch(
    /- not verifiable: the platform rejected the token \(401\): give this job a valid one$/m,
  );

  team.merge("home");
  const applied = await expectOk(team.apply());
  expect(applied.report).toContain("**Done: 3 of 3 changes of the plan**: create ");
  // The engine's output is in the log once.
  expect(applied.stdout.match(/^Resources:\n {4}\+ 4 created$/gm)).toHaveLength(1);
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

  // What somebody adds by hand is drift, and the next merge would remove it: as far as its comment has named it.
  const byHand = (ip_cidr: string) => request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  await byHand("198.51.100.77");
  const drift = await team.pipeline("drift");
  expect([drift.code, drift.report]).toEqual([2, expect.stringContaining("198.51.100.77")]);
  team.propose("moved", (config) => config.replace("192.0.2.44", "192.0.2.45"));
  const closing = await expectOk(team.preview("moved"));
  const gone = "− `198.51.100.77` (exclusive: on the platform, not declared)";
  expect(closing.report).toContain(
    `**Login whitelist: + \`192.0.2.45\`; − \`192.0.2.44\` (no longer declared); ${gone}**`,
  );
  team.merge("moved");
  await byHand("198.51.100.78");
  const refused = await team.apply();
  expect(refused.report).toContain(
    "- drifted: the login whitelist has changed since the preview: 198.51.100.78 would be removed too",
  );
  expect(addresses()).toContain("198.51.100.78");
});
