import { extendedReadings } from "../../emulator/extended/readings";
import { catalogue, type ReadingName } from "../../emulator/readings";
import type { OperationName } from "./catalogue";
import { parts, writingProbes } from "./probes";

/** Readings that no probe can determine, and why. A test goes through all the others. */
export const undetermined = {
  createdAccountId: "would create an account, which nothing can delete",
} as const satisfies Partial<Record<ReadingName, string>>;

/** Operations that are never tried, with --write or without, and why. */
export const neverTried = {
  "account.create": "an account cannot be deleted",
  "account.createV2": "an account cannot be deleted",
  "folders.create": "no operation deletes a folder",
  "folders.move": "no operation deletes a folder",
} as const satisfies Partial<Record<OperationName, string>>;

/** Those that only writing can determine. */
const needWriting = new Set<ReadingName>(parts.flatMap((part) => writingProbes[part].finds ?? []));

/** Why a reading is open when its probe had no more to say. */
export function usualReason(name: ReadingName, writes: boolean): string {
  if (Object.hasOwn(undetermined, name)) return undetermined[name as keyof typeof undetermined];
  if (!writes && needWriting.has(name)) return "needs --write";
  return Object.hasOwn(extendedReadings, name)
    ? "the extended operation that shows it is lacking, not allowed or not tried"
    : `nothing that shows it was found: ${catalogue[name].open}`;
}
