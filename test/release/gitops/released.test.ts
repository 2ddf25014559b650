import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { accountOf, sharedEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { expectOk, story } from "../../harness/stacks";
import { program, sharedTeam, unchanged } from "../../harness/team";

/* Who reads what the stack manages releases it: the engine neither plans that nor compares it with a plan. */

const emulator = sharedEmulator();
const team = sharedTeam(emulator);
const chapter = story();

const declared = /new dataplatform\.ObjectPolicy\("notebook", (\{[\s\S]*?\n\})\);/;
const guarded = program.replace(declared, 'new dataplatform.ObjectPolicy("notebook", $1, { protect: true });');
const reading = guarded.replace(
  /new (dataplatform\.ObjectPolicy)\([\s\S]*?\n\}.*\);/,
  '$1.get("notebook", "note/501");',
);
/** Another notebook, which nothing manages at first. */
const read = 'dataplatform.ObjectPolicy.get("other", "note/502");\n';
const managed =
  'new dataplatform.ObjectPolicy("other", { sourceType: "note", sourceId: "502", policy: [] }, { protect: true });\n';

const released =
  /- released: ObjectPolicy notebook is managed by this stack, and protected, and the plan has no step for it/;
const propose = (branch: string, text: string) => team.propose(branch, unchanged, { "index.ts": text });
const file = () => join(team.folder, "state/.pulumi/stacks/platform/dev.json");
type State = { checkpoint: { latest: { resources: { urn: string; external?: boolean; protect?: boolean }[] } } };
const inState = (name: string) =>
  (JSON.parse(readFileSync(file(), "utf8")) as State).checkpoint.latest.resources.find(({ urn }) =>
    urn.endsWith(`::${name}`),
  );
const deploy = async (branch: string, text: string) => {
  propose(branch, text);
  const { report } = await expectOk(team.preview(branch));
  team.merge(branch);
  await expectOk(team.apply());
  return report;
};

chapter("what nothing manages can be read; a change that reads what is managed and protected is refused", async () => {
  await deploy("guarded", guarded + read);
  expect(inState("other")).toMatchObject({ external: true });
  propose("get", reading + read);
  expect(await team.preview("get")).toMatchObject({ code: 1, report: expect.stringMatching(released) });
});

chapter("so is a repair, once it was merged all the same", async () => {
  team.merge("get");
  const [lost] = accountOf(emulator).whitelist;
  await request(emulator, "DELETE", `/_emulator/state/whitelist/${lost!.id}`);
  const repair = await team.preview("main", { args: ["--repair"] });
  expect(repair).toMatchObject({ code: 1, report: expect.stringMatching(released) });
  expect(inState("notebook")).toMatchObject({ protect: true });
});

chapter("what was read can be read no more, and declared", async () => {
  propose("forget", guarded);
  expect((await expectOk(team.preview("forget"))).report).toContain("**1 to read no more**");
  const report = await deploy("managed", guarded + managed);
  expect(report).toMatch(
    /\| create \| `ObjectPolicy` `other` \| .*was only read until now<br>`protect`: false → true \|/,
  );
  expect(inState("other")).toMatchObject({ protect: true });
  expect(inState("other")).not.toHaveProperty("external");
});
