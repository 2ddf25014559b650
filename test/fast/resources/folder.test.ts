import { describe, expect, test } from "vitest";
import { PlatformError } from "../../../provider/api/errors";
import type { PartialFailure } from "../../../provider/core/guard";
import { Lifecycle } from "../../../provider/core/lifecycle";
import type { Properties } from "../../../provider/core/properties";
import { folder } from "../../../provider/resources/folder";
import { folderPolicy } from "../../../provider/resources/folder-policy";
import { renamedLocation } from "../../../provider/values/folder";
import { args, locationOf, renameFolder } from "../../cases/folder";
import { answers, freshEmulator, refusal } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, hostAt, inProcess, partOf } from "../../harness/in-process";

const emulator = freshEmulator();
const life = (options?: Parameters<typeof inProcess>[2]) => inProcess(folder, emulator, options).life;
const rename = (state: Properties, name: string) => life().update("notes/701", state, { ...args, name });
const where = (id: number): string => locationOf(emulator.state({ secrets: true }), id);

test("renamed behind our back: the error says what to do, and a new location does it", async () => {
  const { id, state } = await life().create(args);
  await renameFolder(emulator, "Common/quarterly", "elsewhere");
  await expect(rename(state, "monthly")).rejects.toThrow(
    /notes folder 701 is not at Common\/quarterly \(404\); set location to .*The platform says: there is no folder.*The next "pulumi up" looks at Common\/monthly/,
  );
  const corrected = await life().update(id, state, { ...args, location: "Common/elsewhere" });
  expect([corrected.state["currentLocation"], where(701)]).toEqual(["Common/quarterly", "Common/quarterly"]);
});

test.each([
  ["json", { status: 404, error: "Folder not found at this location" }],
  ["text", "no such folder"],
  ["nothing", ""],
])(
  "a platform that does not move what it renames, and says 404 as %s: found in the end, then at once",
  async (_, body) => {
    /** The emulator does move it. */
    const moveBack = () => renameFolder(emulator, where(701), "reports");
    const { state } = await life().create(args);
    await moveBack();
    answers(emulator, "folders.rename", 404, body);
    // Where the first rename would have moved it, and where this one would have, if a killed run had sent it.
    const missed = await partOf(rename(state, "yearly"));
    const lookedAt = await partOf(rename(missed.state, "yearly"));
    emulator.clearFaults();
    const renamed = await rename(lookedAt.state, "yearly");
    await moveBack();
    const again = await rename(renamed.state, "monthly");
    const expected = [lookedAt, renamed, again].map((one) => one.state["currentLocation"]);
    expect(expected).toEqual(["Common/reports", "Common/reports", "Common/reports"]);
  },
);

test("a page with 404, as a proxy shows it, says nothing about the place: the next run renames it there", async () => {
  const { state } = await life().create(args);
  answers(emulator, "folders.rename", 404, "<html><body>Not here</body></html>");
  await expect(rename(state, "yearly")).rejects.toThrow(/Not here.*set location to where it is now/);
  emulator.clearFaults();
  expect((await rename(state, "yearly")).state["currentLocation"]).toBe("Common/yearly");
});

test("the policy of a folder that is not where it was expected: the error names the other possibility", async () => {
  const made = inProcess(folderPolicy, emulator).life.create({ type: "notes", location: "Common/nowhere", policy: [] });
  await expect(made).rejects.toThrow(/Check location\. If it is the currentLocation of a Folder, this platform may/);
});

test("created where the folder no longer is, and the platform refuses that as invalid: the error says what to do", async () => {
  await life().create(args);
  answers(emulator, "folders.rename", 422, refusal("no folder 701 here"));
  const says = /no folder 701 here\. If the folder .* set location to where it is/;
  await expect(life().create(args)).rejects.toThrow(says);
});

test.each([404, 409, 422])(
  "a rename that the platform refused (%s) because of the place does not forget where the folder is",
  async (status) => {
    let { state } = await life().create(args);
    answers(emulator, "folders.rename", status, refusal("wrong location", status));
    for (const _ of ["at first", "again"]) ({ state } = await partOf(rename(state, "yearly")));
    emulator.clearFaults();
    for (let runs = 0; runs < 2 && where(701) !== "Common/yearly"; runs++)
      ({ state } = await rename(state, "yearly").catch(({ existing }: PartialFailure) => existing));
    expect([state["currentLocation"], where(701)]).toEqual(["Common/yearly", "Common/yearly"]);
  },
);

test.each([
  ["the name is taken", 422, refusal("Name has already been taken")],
  ["the name is taken, by another status", 409, refusal("a folder yearly exists in this location", 409)],
  ["the name is not allowed", 400, refusal("name is invalid", 400)],
  ["a payment is due", 402, {}],
  ["an error in a success", 200, { status: "error", message: "folders are not in your plan" }],
])("refused because %s: the folder is where it was, and another name is given at once", async (_, status, body) => {
  const { state } = await life().create(args);
  answers(emulator, "folders.rename", status, body);
  for (const _ of ["at first", "again"]) {
    const failed = await rename(state, "yearly").catch((error: unknown) => error);
    // An error without a part that was done: the engine keeps the state as it is.
    expect(failed).toBeInstanceOf(PlatformError);
    expect(String(failed)).not.toContain("looks at");
  }
  emulator.clearFaults();
  expect(life().diff(state, args)).toMatchObject({ changed: [], redo: false });
  const { state: after } = await rename(state, "monthly");
  expect([after["currentLocation"], where(701)]).toEqual(["Common/monthly", "Common/monthly"]);
});

test.each(["quarterly", "monthly"])("a lost answer, then a refusal of the name: %s is given at once", async (name) => {
  const { state } = await life().create(args);
  emulator.setFaults({ rules: [{ operation: "folders.rename", kind: "500", work: "skip" }] });
  const open = await partOf(rename(state, "yearly"));
  emulator.clearFaults();
  const other = { id: 799, name: "yearly", location: "Common/yearly", type: "notes" };
  await request(emulator, "PUT", "/_emulator/state/folders", other);
  const { state: kept } = await partOf(rename(open.state, "yearly"));
  const { state: after } = await rename(kept, name);
  expect([after["currentLocation"], where(701)]).toEqual([`Common/${name}`, `Common/${name}`]);
});

test("a location that the program marked as a secret is in no output, message or warning, not even its parent", async () => {
  const { life: open } = inProcess(folder, emulator);
  const { said, host } = hostAt(emulator);
  const secret = new Lifecycle(folder, host, [["location"]]);
  const hidden = { ...args, folderId: "999", location: "Common/canary-parent/weekly" };
  await expect(secret.create(hidden)).rejects.toThrow(/notes folder 999 is not at \[secret\] or \[secret\]\/quarterly/);
  const { id, state } = await open.create(args);
  const moved = secret.update(id, state, { ...args, location: hidden.location });
  const { existing, reason } = await failureOf(moved);
  expect(reason).toMatch(/looks at \[secret\]\/quarterly/);
  expect(existing.secretOutputs).toEqual(["currentLocation"]);
  await secret.delete(id, existing.state);
  expect(said.warnings.join()).toMatch(/stays on the platform at \[secret\]\/quarterly/);
});

test.each([
  ["Common/reports", "Common/x"],
  ["/Common/reports/", "/Common/x"],
  ["reports", "x"],
  ["/reports", "/x"],
  ["a/b/c", "a/b/x"],
])("%s renamed to x is %s", (before, after) => expect(renamedLocation(before, "x")).toBe(after));

describe.each([409, 422])("where the platform refuses the name that the folder has, with %s", (status) => {
  const unchanged = "name is unchanged";
  const exists = "a folder named quarterly already exists";
  const hasIt = { ...args, location: "Common/quarterly" };
  const refuses = (words: string, more = {}) =>
    ({ operation: "folders.rename", kind: "respond", status, body: refusal(words, status), ...more }) as const;
  const gone = refuses("there is no folder", { status: 404, body: refusal("there is no folder", 404), nth: 1 });
  const lost = { operation: "folders.rename", kind: "500", work: "do", nth: 1 } as const;
  const sent = () => emulator.requests().counts["folders.rename"];

  test.each([unchanged, exists])("the location of the program has it: %s", async (words) => {
    emulator.setFaults({ rules: [refuses(words)] });
    expect((await life().create(hasIt)).state["currentLocation"]).toBe("Common/quarterly");
    expect(sent()).toBe(1);
    const moved = { id: "notes/701", state: { ...args, currentLocation: "Common/elsewhere" } };
    expect((await life().update(moved.id, moved.state, hasIt)).state["currentLocation"]).toBe("Common/quarterly");
  });

  test("created again under another name: the folder is where the first one put it", async () => {
    emulator.setFaults({ rules: [gone, refuses(unchanged)] });
    expect((await life().create(args)).state["currentLocation"]).toBe("Common/quarterly");
  });

  test.each([exists, "a folder with the same name exists", "Name has already been taken", "no"])(
    "created where the folder no longer is: the name may be another folder's: %s",
    async (words) => {
      emulator.setFaults({ rules: [gone, refuses(words)] });
      const message = await life().create(args).catch(String);
      for (const part of ["there is no folder", `(${status}): ${words}`, "set location to Common/quarterly"])
        expect(message).toContain(part);
    },
  );

  test.each([unchanged, exists])("a lost answer settles, in the same run or in the next one: %s", async (words) => {
    emulator.setFaults({ rules: [lost, refuses(words)] });
    const made = await life().create(args);
    expect([made.state["currentLocation"], made.state["__open"]]).toEqual(["Common/quarterly", undefined]);
    emulator.reset();
    emulator.setFaults({ rules: [lost, refuses(words)] });
    const { id, state } = await partOf(life({ retries: 0 }).create(args));
    expect(state["__open"]).toBe(true);
    const next = await life().update(id, state, args);
    expect([next.state["currentLocation"], next.state["__open"]]).toEqual(["Common/quarterly", undefined]);
  });

  test.each(["name is invalid", "the folder is already being renamed by somebody", "no such folder: name unchanged"])(
    "after a lost answer, other words are an error, and the folder stays in the state: %s",
    async (words) => {
      emulator.setFaults({ rules: [{ ...lost, work: "skip" }, refuses(words)] });
      let { id, state } = await partOf(life().create(args));
      for (const _ of ["next", "and again"]) {
        expect(state["__open"]).toBe(true);
        ({ id, state } = await partOf(life({ retries: 0 }).update(id, state, args)));
      }
      emulator.clearFaults();
      await life().update(id, state, args);
      expect(where(701)).toBe("Common/quarterly");
    },
  );

  test("a lost answer, and then another folder has the name: that is never taken for this one", async () => {
    const other = { id: 799, name: "quarterly", location: "Common/quarterly", type: "notes" };
    await request(emulator, "PUT", "/_emulator/state/folders", other);
    emulator.setFaults({ rules: [{ ...lost, work: "skip" }] });
    const { existing, reason } = await failureOf(life().create(args));
    expect(reason).toContain("there is already a folder at Common/quarterly");
    expect(reason).not.toContain("Nothing was changed");
    expect([existing.state["__open"], where(701)]).toEqual([true, "Common/reports"]);
    for (let { id, state } = existing, runs = 0; runs < 3; runs++) {
      ({ id, state } = await partOf(life().update(id, state, args)));
      expect(state["__open"]).toBe(true);
    }
  });

  test("at a place that is only a guess, a name that is taken is another folder's", async () => {
    const { state } = await life().create(args);
    await renameFolder(emulator, "Common/quarterly", "elsewhere");
    const lookedAt = await partOf(rename(state, "monthly"));
    expect(lookedAt.state["currentLocation"]).toBe("Common/monthly");
    const words = "a folder named monthly already exists";
    emulator.setFaults({ rules: [refuses(words)] });
    await expect(rename(lookedAt.state, "monthly")).rejects.toThrow(words);
  });

  test("a lost answer, and then not found or forbidden: the folder stays in the state", async () => {
    await renameFolder(emulator, "Common/reports", "elsewhere");
    const noAnswer = { ...lost, work: "skip" } as const;
    emulator.setFaults({ rules: [noAnswer] });
    const { existing, reason } = await failureOf(life().create(args));
    expect([existing.state["__open"], reason.includes("Nothing was changed")]).toEqual([true, false]);
    emulator.setFaults({ rules: [noAnswer, refuses("no", { status: 403, nth: 2 })] });
    const second = await failureOf(life().create(args));
    expect([second.existing.state["__open"], second.reason]).toEqual([true, expect.stringContaining("(403): no")]);
  });
});
