import { ownType } from "../../provider/core/urn";
import { shortName } from "../pulumi/subject";
import { code } from "../report/markdown";
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

function rightsLines(planned: readonly Planned[], most: number): string[] {
  const changing = changesIn(planned).filter(({ type }) => giveRights.includes(ownType(type) ?? ""));
  if (changing.length === 0) return [];
  const some = changing.slice(0, most).map(({ urn }) => code(shortName(urn)));
  const more = changing.length > most ? `, and ${changing.length - most} more` : "";
  return [`**Roles, groups or users change too, which the access below does not include: ${some.join(", ")}${more}**`];
}

export function accessPart(
  { stdout, stderr, whole }: Access,
  planned: readonly Planned[] = [],
  limits = inComment,
  change?: Drift["whitelist"],
): Part {
  const lines = [...whitelistLines(planned, limits.addresses, change), ...rightsLines(planned, limits.addresses)];
  const before = lines.map((line) => `${line}\n`);
  const headline = /^\*\*(.+)\*\*$/m.exec(stdout)?.[1];
  if (!headline) return { lines: [...before, `**Access: what changes could not be found out.** ${said(stderr)}`] };
  if (whole !== undefined && limits !== inFull)
    return { lines: [...before, `Access: ${headline}. The list is long: it is in the job's log.`] };
  // The headline is in the summary. Never a part of it: half a table would hide what follows.
  const text = whole ? fenced(whole) : stdout.slice(stdout.indexOf("\n")).replace(`**${headline}**`, "").trim();
  return { lines: [...before, folded(`Access: ${headline}`, text)] };
}
