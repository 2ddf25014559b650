import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { linkPackages } from "../../harness/stack";
import { expectOk, story } from "../../harness/stacks";
import { git, sharedTeam } from "../../harness/team";

/* Who may merge against the refusal loosens the rules on main. They must not count from then on as if approved. */

const emulator = sharedEmulator();
const team = sharedTeam(emulator);

const chapter = story();
const off = '{ "all": "disabled" }\n';
const digestIn = (report: string) => /DATAPLATFORM_APPROVED_RULES to ([0-9a-f]{32})/.exec(report)![1]!;
const laundered =
  /needs approval: what guards the platform was loosened on the protected branch since the last deployment of dev \(tree \w{12}\);/;
let digest: string;

chapter("the first deployment has nothing to be compared with, and the comment says so", async () => {
  const preview = await expectOk(team.preview("main", { args: ["--group", "204=analysts"] }));
  expect(team.forge.comments.at(-1)!.body, "the name that --group gives").toContain("group 204 (analysts) gain read");
  expect(preview.report).toContain("Compared with nothing earlier, as this pipeline has not deployed dev.");
  await expectOk(team.apply());
});

chapter("at the desk, a branch is compared with main before it is pushed", async () => {
  team.propose("off", (config) => config.replace("203.0.113.7", "0.0.0.0/0"), { "policies.json": off });
  linkPackages(team.desk);
  const preview = await team.atDesk("preview");
  expect(preview.code, preview.stderr).toBe(1);
  expect(preview.stdout).toContain("- **needs approval** `policies.json`: whole-internet: mandatory → disabled");
  expect(preview.stdout).toContain("- mandatory whole-internet: WhitelistedIp office");
  expect(preview.report).toContain("&#96;platform:addresses&#96; changes");
  expect(preview.stdout).toContain("`platform:addresses` changes");
  expect(preview.stdout).not.toMatch(/&#\d+;|<br>|<details>/);
  // There is no "seal" at the desk.
  expect(preview.stdout).toContain("dataplatform pipeline preview dev --group 204=NAME");
});

chapter("merged against the refusal, it is judged by the rules of the last deployment", async () => {
  team.merge("off");
  expect((await team.apply()).report).toContain("- missing: there is no plan of dev for commit ");
  const main = await team.preview();
  expect(main.code).toBe(1);
  expect(main.report).toMatch(laundered);
  expect(main.report).toContain("- **needs approval** `policies.json`: whole-internet: mandatory → disabled (on the");
  digest = digestIn(main.report);
});

chapter("so is the next pull request, whatever it is about, and a repair", async () => {
  team.propose("next", (config) => config.replace("pyarrow", "polars"));
  const next = await team.preview("next");
  expect(next.code).toBe(1);
  expect(next.report).toMatch(laundered);
  // The approval is for the contents, whoever asks for it.
  expect(digestIn(next.report)).toBe(digest);

  const { id } = accountOf(emulator).whitelist[0]!;
  await request(emulator, "DELETE", `/_emulator/state/whitelist/${id}`);
  const repair = await team.preview("main", { args: ["--repair"] });
  expect(repair.code).toBe(1);
  expect(repair.report).toMatch(laundered);
});

chapter("whoever removes the record from the backend gets no further", async () => {
  const [history, kept] = ["state/.pulumi/history", "kept"].map((path) => join(team.folder, path)) as [string, string];
  cpSync(history, kept, { recursive: true });
  rmSync(history, { recursive: true });
  const preview = await team.preview("next");
  expect(preview.code).toBe(1);
  expect(preview.report).toContain(
    "needs approval: what guards the platform is compared with nothing earlier, as none of the last updates of dev has a signature that counts;",
  );
  // Compared with what the package does without the file.
  expect(preview.report).toContain("`policies.json`: whole-internet: advisory → disabled");
  cpSync(kept, history, { recursive: true });
});

chapter("approved by its digest it counts, and from the next deployment on without one", async () => {
  const env = { DATAPLATFORM_APPROVED_RULES: digest };
  const approved = await expectOk(team.preview("next", { env }));
  expect(approved.report).toContain(`approved as \`${digest}\``);
  team.merge("next", "squash");
  await expectOk(team.apply());
  git(team.desk, "branch", "--quiet", "-D", "next");

  team.propose("later", (config) => config.replace("polars", "pandas"));
  const later = await expectOk(team.preview("later"));
  expect(later.report).toMatch(/settings: no change\.|none of these changes loosens what guards the platform\./);
});
