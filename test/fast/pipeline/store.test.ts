import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { onlyFileIn } from "../../../cli/pipeline/data-file";
import { ask } from "../../../cli/pipeline/http";
import { planStore } from "../../../cli/pipeline/plan-store";
import { fetchPreviewed } from "../../../cli/pipeline/preview";
import { Refused } from "../../../cli/pipeline/refused";
import { ownFolder } from "../../harness/folders";
import { Forge, zipOf } from "../../harness/forge";
import { ScriptedServer } from "../../harness/scripted-server";
import { forTest } from "../../harness/shared";

let forge: Forge;
beforeEach(async () => {
  forge = forTest(await Forge.start());
});

const tree = "a".repeat(40);
const name = `plan-dev-${tree}`;
const id = "1".repeat(64);
const gitHub = () => planStore(forge.variables("github"), "dev");
const gitLab = () => planStore(forge.variables("gitlab"), "dev");

const byHand = { event: "workflow_dispatch", head_branch: "main" };

describe("GitHub", () => {
  test("the artifacts of the name, newest first; where they are downloaded from sees no token", async () => {
    expect(await gitHub().find({ stack: "dev", tree })).toEqual({ texts: [], passedOver: [] });
    forge.upload(name, "old");
    forge.upload(name, "new");
    forge.upload(`plan-prod-${tree}`, "other");
    // A repair's plan comes from the other workflow, started by a person.
    forge.upload(name, "repair", { path: ".github/workflows/operations.yml", ...byHand });
    expect(await gitHub().find({ stack: "dev", tree })).toEqual({ texts: ["repair", "new", "old"], passedOver: [] });
    expect(forge.downloads).toHaveLength(3);
    for (const headers of forge.downloads) expect(headers).not.toHaveProperty("authorization");
  });

  test.each([
    ["a fork", { headRepositoryId: 2 }, /comes from a fork/],
    ["a workflow of a branch", { path: ".github/workflows/evil.yml" }, /was made by \.github\/workflows\/evil\.yml/],
    ["a push", { event: "push" }, /platform\.yml on push/],
    ["a pull request's own workflow", { event: "pull_request" }, /platform\.yml on pull_request/],
    ["a branch's own file", { ...byHand, head_branch: "evil" }, /platform\.yml of the branch evil, not of main/],
    ["another repository", { repository: "mallory/platform" }, /comes from another repository/],
  ])("an artifact of %s is passed over, and not even downloaded", async (_who, run, why) => {
    forge.upload(name, "good");
    forge.upload(name, "evil", run);
    const { texts, passedOver } = await gitHub().find({ stack: "dev", tree });
    expect(texts).toEqual(["good"]);
    expect(passedOver).toEqual([expect.stringMatching(why)]);
    expect(forge.downloads).toHaveLength(1);
  });

  test("a small archive that inflates to 200 MB ends at the limit, and neither it nor what is no archive hides the others", async () => {
    const bomb = zipOf("dev.json", "0".repeat(200_000_000));
    expect(bomb.length).toBeLessThan(1_000_000);
    forge.upload(name, "good");
    forge.upload(name, "", {}, bomb);
    forge.upload(name, "", {}, Buffer.from("<html>"));
    const reasons = ["not verifiable", "too large: the artifact has more than"];
    const passedOver = reasons.map((why) => expect.stringContaining(why));
    expect(await gitHub().find({ stack: "dev", tree })).toEqual({ texts: ["good"], passedOver });
  });
});

test("GitLab: a package of the project, by its id or its tree, with the job's token", async () => {
  expect((await gitLab().find({ stack: "dev", tree })).texts).toEqual([]);
  await gitLab().keep({ stack: "dev", tree, id }, "the plan");
  expect((await gitLab().find({ stack: "dev", tree })).texts).toEqual(["the plan"]);
  expect((await gitLab().find({ stack: "dev", tree, id })).texts).toEqual(["the plan"]);
  expect(forge.calls.at(-1)).toBe(`GET /api/v4/projects/5/packages/generic/plan-dev/${id}/plan.json`);
});

describe("GitLab: what the preview wrote is fetched, file by file", () => {
  let [previewed, folder] = ["", ""];
  beforeEach(() => {
    previewed = ownFolder();
    folder = join(previewed, "here");
    forge.previewed = previewed;
    writeFileSync(join(previewed, "result.json"), "a result");
  });
  const fetched = (variables: NodeJS.ProcessEnv = {}) =>
    fetchPreviewed("dev", folder, { ...forge.variables("gitlab"), ...variables });

  test("and nothing else is kept, of this pipeline or of the job before", async () => {
    writeFileSync(join(previewed, "plan.json"), "a plan");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "evil.js"), "");
    await fetched();
    const found = readdirSync(folder).map((name) => `${name}: ${readFileSync(join(folder, name), "utf8")}`);
    expect(found).toEqual(["plan.json: a plan", "result.json: a result"]);
  });

  test("a preview that failed has no plan, and a pipeline without a preview is refused", async () => {
    await fetched();
    expect(readdirSync(folder)).toEqual(["result.json"]);
    const missing = 'missing: this pipeline has no job "repair preview: [dev]"';
    await expect(fetched({ CI_JOB_NAME: "repair seal: [dev]" })).rejects.toThrow(missing);
  });
});

test("many artifacts of others do not hide a plan, and more than are looked at are said to be there", async () => {
  const upload = (count: number) => {
    for (let at = 0; at < count; at++) forge.upload(name, "evil", { headRepositoryId: 2 });
  };
  forge.upload(name, "good");
  upload(250);
  const { texts, passedOver } = await gitHub().find({ stack: "dev", tree });
  expect([texts, passedOver.length]).toEqual([["good"], 250]);
  upload(200);
  expect((await gitHub().find({ stack: "dev", tree })).passedOver.at(-1)).toContain("only the newest 400");
});

test("no token goes where a forge redirects to", async () => {
  const [elsewhere, redirecting] = [await ScriptedServer.forTest(), await ScriptedServer.forTest()];
  elsewhere.script({ body: "the file" });
  redirecting.script({ status: 302, headers: { location: elsewhere.url.replace("127.0.0.1", "localhost") } });
  const { url } = redirecting;
  const headers = { "job-token": "canary", "private-token": "canary", authorization: "canary" };
  expect(String(await ask("GET", url, { headers }))).toBe("the file");
  await expect(ask("PUT", url, { headers, body: "canary" })).rejects.toThrow("was redirected");
  expect(elsewhere.received).toHaveLength(1);
  expect(JSON.stringify(elsewhere.received)).not.toContain("canary");
});

test("a new plan is made where the old one was: a repair by the operations", () => {
  expect([false, true].map((isRepair) => gitHub().renew(isRepair))).toEqual([
    expect.stringMatching(/`gh workflow run platform\.yml --ref main`\. .* all jobs/),
    expect.stringContaining("`gh workflow run operations.yml --ref main --field stack=dev`. Read it, and approve"),
  ]);
  expect(gitLab().renew(true)).toContain("repair jobs");
  const atDesk = [false, true].map((isRepair) => planStore({}, "dev").renew(isRepair));
  expect(atDesk, "the new plan has another id").toEqual([
    "Make a new plan: `dataplatform pipeline preview dev`. Read it: `dataplatform pipeline find dev` prints its id for `apply`.",
    "Make a new plan: `dataplatform pipeline repair dev`. Read it: `dataplatform pipeline find dev --repair` prints its id for `apply`.",
  ]);
});

test("a refused token is an error, not a missing plan", async () => {
  const expired = planStore({ ...forge.variables("github"), GITHUB_TOKEN: "expired" }, "dev");
  const refused = "GET /repos/team/platform/actions/artifacts was answered with 401";
  await expect(expired.find({ stack: "dev", tree })).rejects.toThrow(refused);
  const lab = planStore({ ...forge.variables("gitlab"), CI_JOB_TOKEN: "expired" }, "dev");
  await expect(lab.keep({ stack: "dev", tree, id }, "plan")).rejects.toThrow(/PUT \S+ was answered with 401/);
});

test.each([
  ["HTML", Buffer.from("<html>")],
  ["nothing", Buffer.alloc(0)],
  ["an end without a beginning", Buffer.from([0x50, 0x4b, 0x05, 0x06, 0, 0, 0, 0])],
  ["offsets that lead outside", zipOf("a", "b").subarray(40)],
  ["garbage", Buffer.concat([deflateRawSync("x"), Buffer.from([0x50, 0x4b, 0x05, 0x06]), Buffer.alloc(18, 0xff)])],
])("an archive that is %s is refused", (_what, bytes) => {
  expect(() => onlyFileIn(bytes)).toThrow(Refused);
});
