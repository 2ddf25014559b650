import type { Readings } from "../../emulator/readings";
import { extendedOperations } from "../../provider/api/extended-operations";
import type { Operation } from "../../provider/api/operations";
import { nameOf } from "../../provider/api/profile";
import { examined, type OperationName, operationNames } from "./catalogue";
import type { ConformReport } from "./report";
import type { Session } from "./session";

/** What the emulator can play, and for people what it cannot. */
export type ConformProfile = ReturnType<typeof profileOf>;

const about =
  'How a data platform answers where its specification leaves it open, found out by "dataplatform conform". "requests" is for the provider (dataplatform:profile). "dataplatform emulator --profile FILE" and startEmulator({ profile }) play "readings" and "extended"; the platform does not have what is "lacking"; what is "open" was not determined, and the emulator answers there as it does without a profile.';

export function profileOf(report: ConformReport, session: Session) {
  const { platform, checkedAt, tool, readings, operations, open } = report;
  const known = new Map(operationNames.map((name) => [name, presenceOf(name, session)]));
  const named = (wanted: Presence) => operationNames.filter((name) => known.get(name) === wanted);
  const reasonOf = (name: OperationName) => operations.find((each) => each.name === name)?.notes[0];
  return {
    about,
    format: 1,
    platform,
    checkedAt,
    tool,
    readings,
    /** Extended operations that the platform has. */
    extended: named("there"),
    /** Those that it does not have. */
    lacking: named("lacking"),
    /** What the provider must know to write to this platform (`dataplatform:profile`). */
    requests: requestsOf(readings, named("lacking")),
    deviations: operations.flatMap(({ request, deviations }) =>
      deviations.map(({ what, section }) => ({ operation: request, section, what })),
    ),
    /** What was not determined, and why. */
    open: {
      readings: open,
      extended: Object.fromEntries(named("not-tried").map((name) => [name, reasonOf(name) ?? "not tried"])),
    },
  } as const;
}

/** The names that the provider has for requests are their methods and paths. */
function requestsOf({ accountEditBody }: Partial<Readings>, lacking: readonly OperationName[]) {
  const { editAccountV1, editAccountV2 } = extendedOperations;
  const own: readonly Operation[] = Object.values(extendedOperations);
  const absent = lacking.map((name) => examined[name].operation).filter((operation) => own.includes(operation));
  const wrapped = accountEditBody === "wrapped" ? [editAccountV1, editAccountV2] : [];
  return Object.fromEntries([
    ...wrapped.map((operation) => [nameOf(operation), { under: "account" }] as const),
    ...absent.map((operation) => [nameOf(operation), "lacking"] as const),
  ]);
}

type Presence = "there" | "lacking" | "not-tried";

/** Whether the platform has an extended operation, or does more than specified in a specified one; undefined for others. */
function presenceOf(name: OperationName, session: Session): Presence | undefined {
  const ofExtended = (other: OperationName): Presence => {
    const { isThere, verdict } = session.op(other);
    return isThere ? "there" : verdict === "lacking" ? "lacking" : "not-tried";
  };
  const { doesMore } = session.op(name);
  const ofMore = doesMore === undefined ? "not-tried" : doesMore ? "there" : "lacking";
  switch (name) {
    case "objectPolicy.set":
      return ofMore;
    case "whitelist.add":
      // Without the list that shows descriptions, nothing takes them.
      return ofExtended("whitelist.listV2") === "lacking" ? "lacking" : ofMore;
    case "whitelist.list":
      return ofExtended("whitelist.listV2");
    case "package.add":
      return ofExtended("package.listPackages");
    default:
      return examined[name].isExtended ? ofExtended(name) : undefined;
  }
}
