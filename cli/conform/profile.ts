import type { Readings } from "../../emulator/readings";
import { examined, type OperationName, operationNames } from "./catalogue";
import type { ConformReport } from "./report";
import type { Session } from "./session";

/** What the emulator can play, and for people what it cannot. */
export interface ConformProfile {
  readonly about: string;
  readonly format: 1;
  readonly platform: string;
  readonly checkedAt: string;
  readonly tool: string;
  readonly readings: Partial<Readings>;
  readonly extended: readonly string[];
  readonly deviations: readonly { readonly operation: string; readonly section: string; readonly what: string }[];
  readonly open: {
    readonly readings: Readonly<Record<string, string>>;
    readonly extended: Readonly<Record<string, string>>;
  };
}

const about =
  'How a data platform answers where its specification leaves it open, found out by "dataplatform conform". "dataplatform emulator --profile FILE" and startEmulator({ profile }) play "readings" and "extended"; what is "open" was not determined, and the emulator has its default there.';

export function profileOf(report: ConformReport, session: Session): ConformProfile {
  const unknown = report.operations.filter(
    ({ extended, verdict, name }) => extended && verdict !== "lacking" && !session.findings.has(name),
  );
  return {
    about,
    format: 1,
    platform: report.platform,
    checkedAt: report.checkedAt,
    tool: report.tool,
    readings: report.readings,
    extended: extendedOf(session),
    deviations: report.operations.flatMap(({ request, deviations }) =>
      deviations.map(({ what, section }) => ({ operation: request, section, what })),
    ),
    open: {
      readings: report.open,
      extended: Object.fromEntries(unknown.map(({ name, notes }) => [name, notes[0] ?? "not tried"])),
    },
  };
}

/** The extended operations, and the specified ones that do more than specified. */
function extendedOf({ findings, environmentPolicies, takesDescriptions }: Session): OperationName[] {
  const isThere: Partial<Record<OperationName, boolean>> = {
    "objectPolicy.set": environmentPolicies,
    "whitelist.add": takesDescriptions,
    "whitelist.list": findings.has("whitelist.listV2"),
    "package.add": findings.has("package.listPackages"),
  };
  return operationNames.filter((name) => isThere[name] ?? (examined[name].isExtended && findings.has(name)));
}

export const profileText = (profile: ConformProfile): string => `${JSON.stringify(profile, null, 2)}\n`;
