import { type Emulator, type Seed, startEmulator } from "../../emulator";
import type { Args, ExtendedLife, LifecycleCase } from "../harness/lifecycle";
import { shared } from "../harness/shared";
import { cases } from "./all";

export const lives: readonly LifecycleCase[] = cases.flatMap((one) => ("life" in one ? [one.life] : []));
export const extendedLives: readonly ExtendedLife[] = cases.flatMap((one) => ("extended" in one ? [one.extended] : []));

/** One life for each type: that with the specified API, if it has one. */
export const oneEach: readonly (LifecycleCase | ExtendedLife)[] = [
  ...lives,
  ...extendedLives.filter(({ type }) => !lives.some((life) => life.type === type)),
];

export function argsOf(type: string): Args {
  return oneEach.find((life) => life.type === type)!.args;
}

/** The default seed with what the cases prepare, where the arguments of every one of them are good. */
async function preparedSeed(): Promise<Seed> {
  const emulator = await startEmulator({ extended: true });
  for (const { prepare } of oneEach) await prepare?.(emulator);
  const seed = emulator.state({ secrets: true });
  await emulator.close();
  return seed;
}

/** An emulator with that seed and the extended API, for the tests of a file. */
export const preparedEmulator = (): Emulator =>
  shared(async () => startEmulator({ seed: await preparedSeed(), extended: true }));

/** Those that manage the same objects of the platform, or count the same requests, as one of the others. */
const apart = new Set(
  ["DataStore", "EnabledUser", "Folder", "FolderGrant", "Group", "GroupRoles", "IpWhitelist", "ObjectGrant"].concat(
    "PackageSet",
  ),
);

/**
 * The resources that live side by side in one stack: two companies of each kind of life. `RESOURCE=Folder` leaves out the
 * other resources, for work on one of them.
 */
export function companiesOf<K extends "lives" | "extended">(
  kind: K,
): { lives: LifecycleCase[]; extended: ExtendedLife[] }[K][] {
  const only = process.env["RESOURCE"];
  const all: readonly { readonly type: string }[] = kind === "lives" ? lives : extendedLives;
  const wanted = all.filter(({ type }) => only === undefined || type === only);
  if (!oneEach.some(({ type }) => only === undefined || type === only))
    throw new Error(`RESOURCE=${only}: there is no such case; there are ${oneEach.map(({ type }) => type).join(", ")}`);
  const companies = [false, true].map((isApart) => wanted.filter(({ type }) => apart.has(type) === isApart));
  return companies.filter(({ length }) => length > 0) as never;
}
