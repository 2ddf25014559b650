import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as command from "../../../../cli/conform";
import { type Part, parts, planText } from "../../../../cli/conform/probes";
import { readable } from "../../../../cli/conform/report";
import { markdownReport } from "../../../../cli/report/markdown";
import { type Profile, type Seed, startEmulator } from "../../../../emulator";
import { inside } from "../../../harness/command";
import { accountOf, answers, freshEmulator, ownEmulator, refusal, writesTo } from "../../../harness/emulators";
import { ownFolder } from "../../../harness/folders";
import { fetchOnce } from "../../../harness/http";
import { formatsOf } from "../stacks";
import { conform, emulatorTargets, examinationOf, operationIn, seedWithSpecialPartition, writing } from "./run";

const canaries = { token: "canary-token", storage: "canary-storage", compute: "canary-compute", user: "canary-other" };
const emulator = freshEmulator({ extended: true, seed: seedWithCanaries(), waitSeconds: 0.2, runSeconds: 0.1 });
const { token } = canaries;

/** Secrets of the account and of another user, which several answers contain. */
function seedWithCanaries(): Seed {
  const seed = seedWithSpecialPartition();
  const [account] = seed.accounts;
  Object.assign(account!, { storage_secret_key: canaries.storage, compute_secret_key: canaries.compute });
  account!.users![0]!.token = canaries.token;
  account!.users![1]!.token = canaries.user;
  return seed;
}

const env = () => ({ DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: canaries.token });

describe("reading", () => {
  test("sends nothing but GET, whatever it is pointed at; operations that write say what they need, and readings that need them are open", async () => {
    await conform(emulator, { targets: emulatorTargets, token });
    expect(emulator.requests().total).toBeGreaterThan(40);
    const { report } = await conform(emulator, { token });
    expect(writesTo(emulator)).toEqual([]);
    const submit = operationIn(report, "commands.submit");
    expect(submit).toMatchObject({ verdict: "not-tried", notes: ["not tried: it writes; needs --write"] });
    expect(report.open["whitelistDuplicate"]).toBe("needs --write");
    const create = operationIn(report, "account.create");
    // Not even --write does that.
    expect(create).toMatchObject({ verdict: "not-tried", notes: ["not tried: an account cannot be deleted"] });
    expect(report.open["createdAccountId"]).not.toContain("--write");
    const { notes } = operationIn(report, "objectPolicy.view");
    expect(notes).toContain("not tried: pass --object TYPE/ID to view a policy");
    answers(emulator, "account.view", 403, refusal("no", 403));
    const blind = await conform(emulator, { token });
    for (const { open } of [report, blind.report]) expect(open["storageLocation"]).toMatch(/^pass --defloc/);
  });

  test("a token that may do little: named, with what is needed", async () => {
    const { report } = await conform(emulator, { token: emulator.tokens["powerless"]! });
    const { notes } = operationIn(report, "hive.list");
    expect(notes[0]).toMatch(/may not list the Hive tables: needs system-admin, or a role that allows/);
  });

  test.each([
    ["a wrong token", "nobody", "", /rejected the token/],
    ["no API there", token, "/elsewhere", /could not view the account at .*: not found/],
  ])("%s is an error, not a finding", async (_, DATAPLATFORM_API_TOKEN, path, text) => {
    const settings = { DATAPLATFORM_API_TOKEN, DATAPLATFORM_BASE_URL: emulator.url + path };
    expect(await inside(command, [], settings)).toMatchObject({ code: 1, stderr: expect.stringMatching(text) });
  });
});

test("no secret is in any format, the profile or the plan, also if the token was passed as something else", async () => {
  const objects = [...emulatorTargets.objects, { source_type: "note", source_id: token } as const];
  const examination = { targets: { ...emulatorTargets, objects }, write: writing(1001), token };
  const { report, profile } = await conform(emulator, examination);
  const plan = planText(examinationOf(emulator, examination));
  const outputs = [...formatsOf(readable(report)), JSON.stringify(report), JSON.stringify(profile), plan];
  for (const output of outputs)
    for (const secret of [...Object.values(canaries), "conform-password"]) expect(output).not.toContain(secret);
  expect(JSON.stringify(report)).toContain("note/[secret]");
});

describe("writing", () => {
  test("needs --yes without a terminal, and the token's account; nothing is written before", async () => {
    const other = await inside(command, ["--write", "--account", "1002", "--yes"], env());
    expect(other).toMatchObject({ code: 1, stdout: "" });
    expect(other.stderr).toMatch(/nothing was written: --account is 1002, but the token belongs to account 1001\./);
    const asked = await inside(command, ["--write", "--account", "1001"], env());
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("add --yes") });
    expect(asked.stderr).toContain("Cannot be undone:\n");
    expect(asked.stderr).toMatch(/3 commands conform-[0-9a-f]{8}-\* in the history/);
    expect(writesTo(emulator)).toEqual([]);
  });

  const only = (...parts: Part[]) => ({ write: writing(1001, parts), token });
  const both = ["partitionSensor.create", "partitionSensor.createLongPath"] as const;

  test("a sensor without columns may be refused: the refusal is in the specification too", async () => {
    answers(emulator, [...both], 422, refusal("columns must not be empty"));
    const { report } = await conform(emulator, only("sensors"));
    for (const name of both) expect(operationIn(report, name).verdict, name).toBe("as-specified");
    expect(report.open["sensorStatus"]).toContain("without columns is refused");
  });

  test("a platform without sensors is said to have none, and is asked no more about them", async () => {
    answers(emulator, [...both], 404, refusal("no such path", 404));
    const { report } = await conform(emulator, only("sensors"));
    const deviations = [expect.objectContaining({ what: "neither of the two paths exists", provider: "needs this" })];
    for (const name of both) expect(operationIn(report, name)).toMatchObject({ deviations, notes: [] });
    for (const name of ["sensorPath", "sensorStatus"]) expect(report.open[name]).toContain("neither of the two paths");
    // Once on each path.
    expect(emulator.requests().counts[both[0]]).toBe(2);
    emulator.setFaults({ rules: [] });
    emulator.setReadings({ sensorPath: "examples" });
    const one = await conform(emulator, only("sensors"));
    const notes = both.map((name) => operationIn(one.report, name).notes);
    expect(notes).toEqual([["this path does not exist; the other one does"], []]);
  });

  test("commands are not waited for once the history is refused", async () => {
    const examined = await conform(emulator, {
      ...only("commands"),
      // From the last submission on.
      onExchange: ({ name, ask }) =>
        name === "commands.submit" &&
        "template" in (ask.body as object) &&
        answers(emulator, "commands.history", 403, refusal("no", 403)),
    });
    const last = examined.exchanges.findLastIndex(({ name }) => name === "commands.submit");
    const looks = examined.exchanges.slice(last).filter(({ name }) => name === "commands.history");
    expect(looks).toHaveLength(2);
    expect(operationIn(examined.report, "commands.submit").notes).toEqual([
      "whether it ended is not known: the history is refused",
    ]);
    expect(operationIn(examined.report, "commands.history").deviations).toEqual([]);
  });

  test("a submission that is answered without command is one deviation, and the rest goes on", async () => {
    answers(emulator, "commands.submit", 200, { id: 901, command_type: "SparkCommand", status: "waiting" });
    const { report } = await conform(emulator, only("commands"));
    const about = operationIn(report, "commands.submit").deviations.map(({ what }) => what);
    expect(about.filter((what) => /^(command(?!_)|expected)/.test(what))).toEqual([
      "command: expected object, received undefined",
    ]);
    expect(emulator.requests().counts["commands.cancel"]).toBeGreaterThan(0);
  });

  test("stopped in the middle: what was created is removed", async () => {
    const stop = new AbortController();
    const before = accountOf(emulator);
    const examined = conform(emulator, {
      targets: emulatorTargets,
      write: { account: "1001", skip: ["commands"] },
      token,
      signal: stop.signal,
      onExchange: ({ name }) => name === "groups.update" && stop.abort(),
    });
    await expect(examined).rejects.toThrow("stopped; everything that was created is removed");
    const after = accountOf(emulator);
    for (const kind of ["whitelist", "dataStores", "groups", "roles", "users", "folders"] as const)
      expect(after[kind], kind).toEqual(before[kind]);
    expect(emulator.requests().counts["groups.delete"]).toBe(1);
  });

  test("a cleanup that fails names what stays, and is an error", async () => {
    answers(emulator, "dbTaps.delete", 422, { message: "no" });
    const skip = parts.filter((part) => part !== "data-stores").flatMap((part) => ["--skip", part]);
    const ran = await inside(command, ["--write", "--account", "1001", "--yes", ...skip], env());
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(
      /Could not be removed\n {2}data store conform-[0-9a-f]{8} \(id \d+\): the delete was refused \(HTTP 422\)/,
    );
  });
});

test("writes a report and a profile, and says with its exit code whether something deviates", async () => {
  const [output, profile] = [join(ownFolder(), "report.md"), join(ownFolder(), "platform.json")];
  const args = ["--object", "note/501", "--format", "markdown", "--output", output, "--profile-out", profile];
  const fine = await inside(command, args, env());
  expect(fine).toMatchObject({ code: 0, stdout: "" });
  expect(fine.stderr).toContain("No deviations from the specification; report written to");
  expect(readFileSync(output, "utf8")).toMatch(/^## Data platform: `http:\/\/127\.0\.0\.1:\d+, account 1001`/);
  expect(JSON.parse(readFileSync(profile, "utf8"))).toMatchObject({ format: 1, readings: { policyView: "wrapped" } });
  emulator.setReadings({ idType: "text" });
  const deviating = await inside(command, ["--format", "json"], env());
  expect(deviating.code).toBe(2);
  expect(JSON.parse(deviating.stdout)).toMatchObject({ format: 1, mode: "read", readings: { idType: "text" } });
});

test("a profile that is not one is an error that says why", async () => {
  const bad = { format: 1, readings: { policyView: "sideways" }, extended: [] } as never;
  await expect(startEmulator({ profile: bad })).rejects.toThrow(/the profile is not valid:\n.*Invalid option/);
  const unknown = { format: 1, readings: {}, extended: ["nothing.there"] } as never;
  await expect(startEmulator({ profile: unknown })).rejects.toThrow(/there is no extended operation nothing\.there/);
});

describe("what was not tried", () => {
  const path = "/api/v1.2/groups";
  const statusOf = async (profile: Profile, method: "GET" | "POST" | "DELETE", at: string): Promise<number> => {
    const player = await ownEmulator({ profile });
    const headers = { "X-AUTH-TOKEN": player.tokens["admin"]!, "content-type": "application/json" };
    const body = method === "POST" ? JSON.stringify({ name: "new" }) : null;
    return (await fetchOnce(`${player.url}${at}`, { method, headers, body })).status;
  };

  test("is told apart from what exists and what is lacking, and is played as without a profile", async () => {
    const extended = ["groups.list", "groups.view", "groups.create"];
    const some = await ownEmulator({ extended, seed: seedWithCanaries() });
    const { profile } = await conform(some, { token });
    expect(profile.extended).toEqual(["groups.list", "groups.view"]);
    expect(profile.lacking).toEqual(expect.arrayContaining(["roles.list", "dbTaps.list", "whitelist.listV2"]));
    expect(Object.keys(profile.open.extended)).toEqual(expect.arrayContaining(["groups.create", "objectPolicy.set"]));
    for (const name of profile.lacking) expect(Object.keys(profile.open.extended)).not.toContain(name);
    expect(await statusOf(profile, "POST", path)).toBe(200);
    expect(await statusOf(profile, "GET", "/api/v1.2/roles")).toBe(404);
    // Nor is it served for a platform without extended operations.
    const none = await conform(await ownEmulator({ seed: seedWithCanaries() }), { token });
    expect(none.profile.extended).toEqual([]);
    expect(Object.keys(none.profile.open.extended)).toContain("groups.create");
    expect(await statusOf(none.profile, "POST", path)).toBe(404);
  });

  test("a profile of an earlier version: what is open was not tried, the rest is lacking", async () => {
    const open = { extended: { "groups.create": "not tried: it writes; needs --write", "gone.since": "not tried" } };
    const profile: Profile = { format: 1, readings: {}, extended: ["groups.list"], open };
    expect(await statusOf(profile, "POST", path)).toBe(200);
    expect(await statusOf(profile, "DELETE", `${path}/204`)).toBe(404);
    const { open: _, ...byHand } = profile;
    expect(await statusOf(byHand, "POST", path)).toBe(404);
    expect(await statusOf(byHand, "GET", path)).toBe(200);
  });
});

test("the report counts operations and deviations, and says which is which", async () => {
  const { report } = await conform(emulator, { token });
  const [first, ...others] = report.operations;
  const deviations = ["one thing", "another"].map((what) => ({ what, section: "4.12", provider: "copes" as const }));
  const deviating = { ...report, operations: [{ ...first!, verdict: "deviates" as const, deviations }, ...others] };
  const comment = markdownReport(readable(deviating));
  expect(comment).toContain("**2 deviations in 1 operation: the provider copes with 2");
  expect(comment).toContain("1 deviates, ");
  expect(comment).toContain("  - deviates: one thing (4.12); the provider copes\n  - deviates: another");
});
