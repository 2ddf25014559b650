import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../emulator";
import { resources } from "../../../provider/resources";
import { oneEach } from "../../cases";
import { programOf } from "../../harness/shared-run";
import type { Program } from "../../harness/stack";

const recordings = readdirSync(__dirname).filter((name) => name.endsWith("-dynamic.json"));
const last = recordings.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1)!;
const { program } = JSON.parse(readFileSync(join(__dirname, last), "utf8")) as { readonly program: Program };

const recorded = new Set(Object.values(program).map(({ type }) => type));
const since = oneEach.filter(({ type }) => !recorded.has(type));
const needsExtendedApi = new Set(resources.filter((one) => one.extended?.required).map(({ type }) => type));

/** One of every resource type: what the last recording declares, and the cases of the types that came since. */
export const everyType: Program = { ...program, ...programOf(since, ({ args }) => args) };

/** Those that need no extended API. Each recording keeps a copy of it. */
export const everySpecifiedType: Program = Object.fromEntries(
  Object.entries(everyType).filter(([, { type }]) => !needsExtendedApi.has(type)),
);

/** Adds to the default seed what these programs need: a declaration that was made from a case has the name of its type. */
export async function prepare(emulator: Emulator): Promise<void> {
  for (const life of oneEach) if (life.type in everyType) await life.prepare?.(emulator);
}
