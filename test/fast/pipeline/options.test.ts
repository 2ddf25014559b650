import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import * as pipeline from "../../../cli/pipeline";
import { verifyKeyOf } from "../../../cli/pipeline/keys";
import { readOptions, steps } from "../../../cli/pipeline/options";
import { whenUnlocked } from "../../../cli/pipeline/run";
import { inside } from "../../harness/command";
import { ownFolder } from "../../harness/folders";
import { Forge } from "../../harness/forge";
import { forTest } from "../../harness/shared";
import { eachWithCommit } from "./repository";

const at = eachWithCommit({ ".gitignore": "*.key\n" });

test.each([
  ["", /the step is ""; use one of snapshot, preview/],
  ["snapshoot dev", /the step is "snapshoot"; use one of .*; did you mean snapshot\?/],
  ["preview", /name a stack, such as: dataplatform pipeline preview dev/],
  ["preview ../dev", /name a stack/],
  ["preview dev prod", /name one step and one stack/],
  ["apply dev --max-age forever", /--max-age is "forever"; use a number of hours/],
  ["apply dev --max-age 0", /use a number of hours/],
  ["seal dev --pull x", /--pull is "x"; use its number/],
])("%s is a clear error", async (args, says) => {
  const ran = await inside(pipeline, args.split(" ").filter(Boolean), {});
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
  for (const step of steps) expect(pipeline.help).toMatch(new RegExp(`^ {2}${step} `, "m"));
});

test("the step that reads the platform on a schedule is as careful as the others that hold its token", async () => {
  at.repository.commit({ "Pulumi.yaml": "name: platform\n" });
  const env = { CI: "true", DATAPLATFORM_TOKEN_HOSTS: "a.example.com", NODE_OPTIONS: "--require ./evil.js" };
  const ran = await inside(pipeline, ["drift", "dev"], env);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("NODE_OPTIONS is set") });
  const why = expect.stringContaining("name the plan that was approved: --plan");
  expect(await inside(pipeline, ["apply", "dev"], {})).toMatchObject({ code: 1, stderr: why });
});

test("in another folder: says where to run it, and leaves that folder's reports alone", async () => {
  mkdirSync("inside/reports", { recursive: true });
  process.chdir("inside");
  const { code, stderr } = await inside(pipeline, ["preview", "dev"], {});
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /there is no Pulumi\.yaml in \S+inside; run "dataplatform pipeline preview dev" in the repository's folder$/,
  );
  expect(existsSync("reports")).toBe(true);
});

test.each([
  ["changes that are", ["index.ts"], "M index.ts): commit first\n"],
  ["a file, which the program may read, that is", ["extra.ts", "ignored.key"], "new: extra.ts): commit first, or name"],
])("apply with %s not committed: says to commit first", async (_what, names, words) => {
  at.repository.commit({ "Pulumi.yaml": "name: platform\n", "index.ts": "" });
  for (const name of names) writeFileSync(name, "// changed\n");
  const { code, stdout } = await inside(pipeline, ["apply", "dev", "--plan", "0".repeat(64)], {});
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(`- not committed: there are changes that are not committed (${words}`),
  ]);
  // A new plan would be refused for the same reason.
  expect(stdout).not.toMatch(/missing:|Make a new plan/);
});

test("a lock of a run on this machine that has ended is not waited for; what says so is shown once", async () => {
  const lockedBy = (pid: number) => ({
    ...{ code: 1, stdout: "" },
    stderr: `error: the stack is currently locked by 1 lock(s).\n  file:///x: created by me@${hostname()} (pid ${pid}) at 1\n`,
  });
  const { pid } = spawnSync("true");
  expect(await whenUnlocked("dev", async () => lockedBy(pid))).toMatchObject({ code: 1 });
  const muted: unknown[] = [];
  const tries = [lockedBy(process.pid), lockedBy(process.pid), { code: 0, stdout: "", stderr: "" }];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ran = whenUnlocked("dev", async (mute) => {
    muted.push(mute?.test("error: the stack is currently locked"));
    return tries[muted.length - 1]!;
  });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([(await ran).code, muted]).toEqual([0, [undefined, true, true]]);
});

test("a report that cannot be posted fails the step, and no plan is kept that nobody could read about", async () => {
  const forge = forTest(await Forge.start());
  mkdirSync("reports");
  const kept: string[] = [];
  const options = readOptions(["seal", "dev", "--pull", "12"]);
  const posted = (GITHUB_REPOSITORY: string) => {
    const outcome = { code: 0, markdown: "sealed", afterwards: async () => void kept.push(GITHUB_REPOSITORY) };
    const env = { ...forge.variables("github"), GITHUB_REPOSITORY };
    return inside({ run: () => pipeline.report("seal", options, outcome) }, [], env);
  };
  const why = /the report could not be posted: GET \S+ was answered with 404/;
  expect(await posted("team/other")).toMatchObject({ code: 1, stderr: expect.stringMatching(why) });
  expect(kept).toEqual([]);
  expect((await posted("team/platform")).code).toBe(0);
  expect(kept).toEqual(["team/platform"]);
});

test.each(["10m", "-1", "Infinity"])("LOCK_SECONDS=%s is a clear error, before anything is tried", async (text) => {
  vi.stubEnv("LOCK_SECONDS", text);
  onTestFinished(() => void vi.unstubAllEnvs());
  const waiting = whenUnlocked("dev", () => expect.unreachable());
  await expect(waiting).rejects.toThrow(`LOCK_SECONDS is "${text}"; use a number of seconds, such as 600`);
});

test("keys are two lines for variables, every time others, and not written where the next commit takes them", async () => {
  const keys = (...args: string[]) => inside(pipeline, ["keys", ...args], {});
  const [one, other] = [await keys(), await keys()];
  expect(one.stdout).toMatch(/^DATAPLATFORM_SIGNING_KEY=\S{64}\nDATAPLATFORM_VERIFY_KEY=\S{60}\n$/);
  expect(other.stdout).not.toBe(one.stdout);
  const refused = await keys("--output", join(at.repository.folder, "signing.txt"));
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining('"git add" takes it') });
  expect((await keys("--output", join(at.repository.folder, "signing.key"))).code).toBe(0);
  expect(at.repository.git("status", "--porcelain")).toBe("");
});

test("with --output, the signing key is in a new file that only its owner reads, and not in the terminal", async () => {
  const file = join(ownFolder(), "signing.key");
  const made = await inside(pipeline, ["keys", "--output", file], {});
  const signing = readFileSync(file, "utf8");
  expect(made.stdout).toBe(`DATAPLATFORM_VERIFY_KEY=${verifyKeyOf(signing)}\n`);
  expect(made.stdout + made.stderr).not.toContain(signing);
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await inside(pipeline, ["keys", "--output", file], {})).code).toBe(1);
  expect(readFileSync(file, "utf8")).toBe(signing);
});
