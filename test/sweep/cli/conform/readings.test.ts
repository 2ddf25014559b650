import { describe, expect, test } from "vitest";
import { operationNames } from "../../../../cli/conform/catalogue";
import { type Part, parts } from "../../../../cli/conform/probes";
import { undetermined } from "../../../../cli/conform/report";
import type { Exchange } from "../../../../cli/conform/session";
import type { Emulator, EmulatorOptions, Readings } from "../../../../emulator";
import { extendedRoutes } from "../../../../emulator/extended";
import {
  catalogue,
  defaultReadings,
  type Reading,
  type ReadingName,
  readingNames,
} from "../../../../emulator/readings";
import { routes } from "../../../../emulator/routes";
import { conform, emulatorTargets, seedWithSpecialPartition, writing } from "../../../fast/cli/conform/run";
import { ownEmulator } from "../../../harness/emulators";

/** Commands are quick here, but not so quick that the first one has started before its log is asked for. */
const quick: EmulatorOptions = { seed: seedWithSpecialPartition(), waitSeconds: 0.15, runSeconds: 0.05 };
const all: EmulatorOptions = { ...quick, extended: true };

async function examineOne(emulator: Emulator, only: readonly Part[], clock: EmulatorOptions["clock"] = "manual") {
  return conform(emulator, {
    targets: emulatorTargets,
    write: writing(1001, only),
    pauseMs: 5,
    // Where the clock stands still, time passes with every request: the same in every run.
    onExchange: () => clock === "manual" && emulator.advance(0.05),
  });
}

/** The readings that each part of the writing examination finds out; those without one are found by reading. */
const foundBy: Partial<Record<Part, string>> = {
  whitelist: `whitelistSpelling whitelistDuplicate whitelistOrder whitelistDeleteUnknown refusalStatus whitelistDescription
    whitelistListDescription`,
  commands: `commandNulls commandTimes historyTags historyTagsLate commandStatusTimes commandStatusQlog cancelAnswer
    cancelSeconds cancelEnded commandLogEarly commandResults`,
  "data-stores": `dataStorePassword dataStoreAnswer dataStoreViewName dataStoreViewPassword dataStoreViewPort dataStoreViewGateway
    dataStoreEditPort dataStoreEditAnswer`,
  policies: "policyFields notShownAnswer policyMissing",
  sensors: "sensorPath sensorStatus",
  access: `roleRepeated nameTaken groupCreateAnswer groupUpdateLists systemGroupMembers memberRepeated
    roleDeleteAssigned`,
  packages: "packageEntries",
  account: "accountEditFields accountEditBody accountEditAnswer",
};
const partsFor = (name: ReadingName) => parts.filter((part) => foundBy[part]?.split(/\s+/).includes(name));

/** Every value but the default, which the test of all defaults covers. */
const otherValues = (name: ReadingName): (string | number)[] => {
  const { values, default: usual }: Reading = catalogue[name];
  return values ? Object.keys(values).filter((value) => value !== usual) : [usual === 0 ? 2 : 0];
};

/** Two runs at different times get different times back, and ask a different number of times while they wait. */
function comparable(exchanges: readonly Exchange[], leftOut: readonly string[] = []): string[] {
  const compared = exchanges.filter(({ name }) => !leftOut.includes(name));
  const lines = compared.map(({ name, ask, answer }) => ({
    request: `${name} ${JSON.stringify(ask)}`,
    answer: `${answer.status} ${answer.contentType ?? ""} ${answer.encoding ?? ""} ${withoutTimes(answer.text)}`,
  }));
  return lines
    .filter(({ request }, at) => lines[at + 1]?.request !== request)
    .map(({ request, answer }) => `${request} → ${answer}`);
}

function withoutTimes(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d([T ]\d\d:\d\d:\d\d(Z| UTC))?/g, "<time>")
    .replace(/(_time|_at)("|\\"):\d{10}\b/g, '$1":<time>');
}

test("every operation of the emulator is examined, under its own name", () => {
  const names = [...routes, ...extendedRoutes].map(({ operation }) => operation);
  const examined = operationNames.filter((name) => name !== "unknown" && name !== "partitionSensor.createLongPath");
  expect([...examined].sort()).toEqual([...new Set(names)].sort());
});

test("every reading has its default, is determined, and nothing deviates", async () => {
  const emulator = await ownEmulator(all);
  const { report, profile } = await examineOne(emulator, parts, "real");
  const { createdAccountId, ...others } = defaultReadings;
  expect(profile.readings).toEqual(others);
  expect(Object.keys(profile.open.readings)).toEqual(Object.keys(undetermined));
  expect(createdAccountId).toBe("number");
  const deviations = report.operations.flatMap((each) => each.deviations.map(({ what }) => `${each.name}: ${what}`));
  expect(deviations).toEqual([]);
  expect(report.leftBehind).toEqual([]);
  expect(Object.keys(profile.open.extended)).toEqual(["folders.create", "folders.move"]);
});

describe.each(readingNames.filter((name) => !Object.hasOwn(undetermined, name)))("%s", (name) => {
  test.each(otherValues(name))("%s is found out, and the emulator with the profile answers alike", async (value) => {
    // A cancelled command takes a second by default, which is of interest once.
    const isTimed = name === "cancelSeconds";
    const fast: Partial<Readings> = isTimed ? {} : { cancelSeconds: 0 };
    const readings = { ...fast, [name]: value };
    const part = partsFor(name);
    const clock = isTimed ? "real" : "manual";
    const emulator = await ownEmulator({ ...all, readings, clock });
    const first = await examineOne(emulator, part, clock);
    expect(first.profile.readings[name]).toBe(value);
    expect(first.report.leftBehind).toEqual([]);
    const player = await ownEmulator({ ...quick, profile: first.profile, readings: fast, clock });
    const second = await examineOne(player, part, clock);
    // On a real clock, what the history shows of a command depends on the moment.
    const left = isTimed ? ["commands.history"] : [];
    expect(comparable(second.exchanges, left)).toEqual(comparable(first.exchanges, left));
    expect(second.profile.readings).toEqual(first.profile.readings);
    expect(second.profile.extended).toEqual(first.profile.extended);
  });
});

test("without the extended operations, the profile has none, and the emulator with it lacks them too", async () => {
  const first = await examineOne(await ownEmulator({ ...quick, clock: "manual" }), parts);
  expect(first.profile.extended).toEqual([]);
  expect(first.report.operations.filter(({ verdict }) => verdict === "there")).toEqual([]);
  const player = await ownEmulator({ ...quick, profile: first.profile, clock: "manual" });
  const second = await examineOne(player, parts);
  expect(comparable(second.exchanges)).toEqual(comparable(first.exchanges));
});

test("some extended operations: the profile has these and no others", async () => {
  const extended = ["dbTaps.list", "dbTaps.view", "groups.list", "groups.users", "commands.status", "hive.table"];
  const emulator = await ownEmulator({ ...quick, extended, clock: "manual" });
  const { profile } = await examineOne(emulator, ["data-stores", "commands"]);
  expect([...profile.extended].sort()).toEqual([...extended].sort());
});
