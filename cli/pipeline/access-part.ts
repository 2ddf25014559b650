import { elementsOf } from "../../policies/policy-elements";
import { ownType } from "../../provider/core/urn";
import { shortName } from "../pulumi/subject";
import { code } from "../report/markdown";
import { shortList } from "../terminal/plural";
import { whitelistLines } from "./differences";
import type { Drift } from "./drift";
import type { Planned } from "./planned";
import { fenced, folded, type Part, said } from "./report";
import type { Ran } from "./run";
import { changesIn, inComment, inFull } from "./seal-report";

/** What `dataplatform access --format markdown` said, which escapes what it says. */
export interface Access extends Pick<Ran, "stdout" | "stderr"> {
  /** Where that is long: the same as a table, with nothing left out. */
  readonly whole?: string;
}

/** What gives rights too. What they amount to, no report says: the API does not show what users may do by their roles. */
const giveRights = ["Role", "Group", "GroupRoles", "GroupRoleAssignment", "GroupMembership", "EnabledUser"];

/** A policy that denies `manage` and allows it to nobody. Others say nothing about it, or somebody keeps it. */
function isLocked({ type, after = {} }: Planned): boolean {
  if (ownType(type) !== "ObjectPolicy") return false;
  // Not the `destroyPolicy`, which applies at another time.
  const properties = { policy: after["policy"] };
  const elements = elementsOf({ type: "ObjectPolicy", properties }).filter((one) => one.names("manage"));
  return elements.length > 0 && !elements.some(({ allows }) => allows);
}

/** What the list of who gains and loses access does not say, or hides. */
function linesBefore(planned: readonly Planned[], most: number, change: Drift["whitelist"]): string[] {
  const names = (some: readonly Planned[]): string =>
    shortList(
      some.map(({ urn }) => code(shortName(urn))),
      most,
    );
  const changes = changesIn(planned);
  const locked = names(changes.filter(isLocked));
  const rights = names(changes.filter(({ type }) => giveRights.includes(ownType(type) ?? "")));
  return [
    ...(locked
      ? [`**Policies deny \`manage\`, and allow it to nobody, so perhaps nobody can change them again: ${locked}**`]
      : []),
    ...whitelistLines(planned, most, change),
    ...(rights ? [`**Roles, groups or users change too, which the access below does not include: ${rights}**`] : []),
  ];
}

export function accessPart(
  { stdout, stderr, whole }: Access,
  planned: readonly Planned[] = [],
  limits = inComment,
  change?: Drift["whitelist"],
): Part {
  const before = linesBefore(planned, limits.addresses, change).map((line) => `${line}\n`);
  const headline = /^\*\*(.+)\*\*$/m.exec(stdout)?.[1];
  if (!headline) return { lines: [...before, `**Access: what changes could not be found out.** ${said(stderr)}`] };
  if (whole !== undefined && limits !== inFull)
    return { lines: [...before, `Access: ${headline}. The list is long: it is in the job's log.`] };
  // The headline is in the summary. Never a part of it: half a table would hide what follows.
  const text = whole ? fenced(whole) : stdout.slice(stdout.indexOf("\n")).replace(`**${headline}**`, "").trim();
  return { lines: [...before, folded(`Access: ${headline}`, text)] };
}
