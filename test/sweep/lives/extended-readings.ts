import { request } from "../../harness/http";
import {
  type ExtendedSwitchName,
  extendedCatalogue,
  type SecondPlatform,
  type Switches,
  startSecondPlatform,
} from "../../second-platform";
import { extendedCalls, seededCommand } from "./extended-functions";
import { extendedLives } from "./extended-program";
import { functionFindings } from "./function-lives";
import { type Choice, choicesOf } from "./idle";
import type { LifeName } from "./program";
import { oneOfEach } from "./readings";
import { WholeLife } from "./whole-life";

/** One possible reading of what is known about the extended operations. */
interface ExtendedReading extends Choice {
  readonly names: readonly LifeName[];
}

const everything = Object.keys(extendedLives);

const byBeginning: readonly (readonly [RegExp, readonly LifeName[]])[] = [
  [/^dataStore/, ["store"]],
  [/^(group|member|removeUsers)/, ["group", "emptyGroup", "membership", "role"]],
  [/^role/, ["roleItself", "role", "group"]],
  [/^folder/, ["folderPolicy"]],
  [/^(environment|packages)/, ["packages"]],
  [/^(hive|definition|partition|logs|errorLogs|results)/, []],
  [/^user/, ["user", "group", "membership"]],
  [/^disable/, ["user"]],
  [/^account/, ["account"]],
  [/^whitelist/, ["address", "addresses"]],
  [/^(view|cancel)/, ["spark"]],
  [/^(unnamedRights|page|perPage)/, ["store", "group", "membership", "roleItself"]],
  [/^lacking/, oneOfEach],
];

function affectedBy(name: ExtendedSwitchName): readonly LifeName[] {
  const [, found] = byBeginning.find(([beginning]) => beginning.test(name)) ?? [];
  if (!found) throw new Error(`list the lives that ${name} affects`);
  return found;
}

/** A kill that never ends takes the provider its full minute, several times; test/resources/command tests it once. */
const endless = ["stays cancelling", "without effect"];

/** Every value of every switch except the defaults, plus the defaults themselves. */
export function everyExtendedReading(): ExtendedReading[] {
  const possible = choicesOf(extendedCatalogue).filter(({ switches }) => !endless.includes(switches["cancelCourse"]!));
  return [
    { title: "defaults", switches: {}, names: everything },
    ...possible.map((choice) => {
      const names = Object.keys(choice.switches) as ExtendedSwitchName[];
      return { ...choice, names: names.length > 1 ? everything : affectedBy(names[0]!) };
    }),
  ];
}

export async function extendedFindingsOf(reading: ExtendedReading, profile?: string): Promise<string[]> {
  const switches = reading.switches as Partial<Switches>;
  if ("lacking" in switches) return findingsWithout(switches);
  const started = await startSecondPlatform({ extended: true, statusCourse: courseFor(reading), ...switches });
  const platform = Object.assign(started, { profile });
  try {
    const said = await callsOf(platform, reading);
    const life = new WholeLife(platform, reading.names, { lives: extendedLives, extended: true });
    return [...said, ...(reading.names.length > 0 ? await life.run() : [])];
  } finally {
    await platform.close();
  }
}

/** An installation that lacks the operations: all is as the specification allows. */
async function findingsWithout(switches: Partial<Switches>): Promise<string[]> {
  const platform = await startSecondPlatform({ extended: false, ...switches });
  try {
    return await new WholeLife(platform, oneOfEach, { extended: true }).run();
  } finally {
    await platform.close();
  }
}

const needsResults = /^(logs|results)/;

/** Logs and results need a command that has ended. */
function courseFor({ switches }: ExtendedReading): Switches["statusCourse"] {
  return Object.keys(switches).some((name) => needsResults.test(name)) ? "done at once" : "stays waiting";
}

async function callsOf(platform: SecondPlatform, { switches }: ExtendedReading): Promise<string[]> {
  const concernsAll = Object.keys(switches).length === 0;
  // The status moves on when the command is shown.
  if (!concernsAll) await request(platform, "GET", `/api/v1.2/commands/${seededCommand}`);
  const calls = extendedCalls.filter(({ name }) => !concernsAll || !name.startsWith("getCommand"));
  const said = await functionFindings(platform, switches as Partial<Switches>, { concernsAll, calls, extended: true });
  return said.map((one) => `function ${one}`);
}
