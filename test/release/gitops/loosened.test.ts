import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { sharedEmulator } from "../../harness/emulators";
import { expectOk, story } from "../../harness/stacks";
import { git, sharedTeam } from "../../harness/team";

/* Who may merge against the refusal loosens the rules on main. They must not count from then on as if approved. */

const emulator = sharedEmulator();
const team = sharedTeam(emulator);

const chapter = story();
const off = '{ "all": "disabled" }\n';
let digest = "";

/** Whoever can write to the backend puts a newer record there, of a deployment of what is on main now. */
function forgeRecord(deployed: string): void {
  const folder = join(team.folder, "state/.pulumi/history/platform/dev");
  const newest = readdirSync(folder).findLast((name) => name.endsWith(".history.json"))!;
  const later = newest.replace(/\d+/, (time) => String(BigInt(time) + 1n));
  const record = readFileSync(join(folder, newest), "utf8");
  writeFileSync(join(folder, later), record.replace(deployed, team.tree()));
}

chapter("the first deployment has nothing to be compared with, and the comment says so", async () => {
  const preview = await expectOk(team.preview("main", { args: ["--group", "204=analysts"] }));
  expect(team.forge.comments.at(-1)!.body, "the name that --group gives").toContain("group 204 (analysts) gain read");
  expect(preview.report).toContain("Compared with nothing earlier, as this pipeline has not deployed dev.");
  await expectOk(team.apply());
});

chapter("merged against the refusal, it is judged by the rules of the last deployment that counts", async () => {
  const deployed = team.tree();
  team.propose("off", (config) => config.replace("203.0.113.7", "0.0.0.0/0"), { "policies.json": off });
  team.merge("off");
  expect((await team.apply()).report).toContain("- missing: there is no plan of dev for commit ");
  forgeRecord(deployed);
  const main = await team.preview();
  expect(main.code).toBe(1);
  expect(main.report).toContain(
    `needs approval: what guards the platform may have been loosened on the protected branch since the last deployment of dev (tree ${deployed.slice(0, 12)});`,
  );
  expect(main.report).toContain("- **needs approval** `policies.json`: whole-internet: mandatory → disabled (on the");
  [, digest = ""] = /DATAPLATFORM_APPROVED_RULES to ([0-9a-f]{32})/.exec(main.report)!;
});

chapter(
  "approved by its digest it counts for the next pull request, and from its deployment on without one",
  async () => {
    // The approval is for the contents, whoever asks for it.
    team.propose("next", (config) => config.replace("pyarrow", "polars"));
    const env = { DATAPLATFORM_APPROVED_RULES: digest };
    const approved = await expectOk(team.preview("next", { env }));
    expect(approved.report).toContain(`approved as \`${digest}\``);
    team.merge("next", "squash");
    await expectOk(team.apply());
    git(team.desk, "branch", "--quiet", "-D", "next");

    team.propose("later", (config) => config.replace("polars", "pandas"));
    const later = await expectOk(team.preview("later"));
    expect(later.report).toMatch(/settings: no change\.|none of these changes loosens what guards the platform\./);
  },
);
