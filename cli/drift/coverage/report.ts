import { z } from "zod";
import { type Kind, kinds } from "../../inventory/found";
import { mismatchHeadline } from "../../platform/accounts";
import { plural } from "../../terminal/plural";
import { AccountMismatches } from "../report";

export const kindTitles: Readonly<Record<Kind, string>> = {
  account: "account",
  address: "addresses",
  user: "users",
  role: "roles",
  group: "groups",
  member: "members of groups",
  "group-role": "roles of groups",
  "data-store": "data stores",
};

const Count = z.object({
  /** On the platform. */
  existing: z.int(),
  /** Of these, declared in a stack. */
  managed: z.int(),
  /** Rounded down, so that 100 means all. Null if nothing exists. */
  percent: z.number().nullable(),
});
export type Count = z.output<typeof Count>;
const KindCount = Count.extend({ kind: z.enum(kinds) });
export type KindCount = z.output<typeof KindCount>;

const Unmanaged = z.object({
  /** Index in `accounts`. */
  account: z.int(),
  kind: z.enum(kinds),
  /** What it is called on the platform; masked if a stack keeps it secret. */
  what: z.string(),
  id: z.string().optional(),
  /** The import that adopts it, where one does. */
  import: z.object({ type: z.string(), name: z.string(), id: z.string(), command: z.string() }).optional(),
  /** What to do instead, or besides. */
  note: z.string().optional(),
});
export type Unmanaged = z.output<typeof Unmanaged>;

const AccountCoverage = z.object({
  platform: z.string(),
  /** Absent if the token may not view its account. */
  id: z.string().optional(),
  name: z.string().optional(),
  extendedApi: z.boolean(),
  /** The name of the explicit provider, if the stack's own settings are for another account. */
  provider: z.string().optional(),
  summary: Count,
  kinds: z.array(KindCount),
});
export type AccountCoverage = z.output<typeof AccountCoverage>;

const Unlisted = z.object({
  what: z.string(),
  why: z.string(),
  /** Index in `accounts`, if it is about one of them. */
  account: z.int().optional(),
  /** Resources of the stacks that are about this. They count neither as managed nor as existing. */
  declared: z.int(),
});
export type Unlisted = z.output<typeof Unlisted>;

export const CoverageReport = z.object({
  /** Increases with breaking changes. */
  format: z.literal(1),
  report: z.literal("coverage"),
  tool: z.string(),
  checkedAt: z.string(),
  /** All stacks that were looked at. */
  stacks: z.array(
    z.object({
      project: z.string(),
      stack: z.string(),
      /** The file of a state. */
      file: z.string().optional(),
      /** Data platform resources. */
      resources: z.int(),
    }),
  ),
  accounts: z.array(AccountCoverage),
  summary: Count,
  kinds: z.array(KindCount),
  unmanaged: z.array(Unmanaged),
  /** What the API cannot list: nobody knows how much of it exists. */
  cannotBeListed: z.array(Unlisted),
  /** What exists, but is left out of the percentage. */
  notCounted: z.array(z.object({ what: z.string(), why: z.string() })),
  /** What should be readable, but could not be read. */
  unread: z.array(z.object({ what: z.string(), why: z.string() })),
  notes: z.array(z.string()),
  accountMismatches: AccountMismatches.optional(),
  /** With `--min-coverage`. */
  minimum: z.number().optional(),
});
export type CoverageReport = z.output<typeof CoverageReport>;

export function countOf(existing: number, managed: number): Count {
  return { existing, managed, percent: existing === 0 ? null : Math.floor((managed * 1_000) / existing) / 10 };
}

export function sumOf(counts: readonly Count[]): Count {
  const sum = (of: (count: Count) => number) => counts.reduce((total, count) => total + of(count), 0);
  return countOf(
    sum(({ existing }) => existing),
    sum(({ managed }) => managed),
  );
}

function isBelow({ summary: { existing, managed }, minimum }: CoverageReport): boolean {
  return minimum !== undefined && managed * 100 < minimum * existing;
}

/** Errors outrank the percentage: what could not be read may be in no stack. */
export function exitCode(report: CoverageReport): number {
  if (report.unread.length > 0 || report.accountMismatches?.length) return 1;
  return isBelow(report) ? 2 : 0;
}

export function percentText({ percent }: Count): string {
  if (percent === null) return "-";
  return percent === 100 ? "100%" : `${percent.toFixed(1)}%`;
}

export function headline(report: CoverageReport): string {
  const { summary, unread, minimum, accountMismatches: [wrongAccount] = [] } = report;
  if (wrongAccount) return mismatchHeadline(wrongAccount);
  const failed = unread.length > 0 ? `; ${plural(unread.length, "list")} could not be read` : "";
  if (summary.existing === 0) return `Nothing that can be listed exists${failed}`;
  const below = isBelow(report) ? `, below ${minimum}%` : "";
  return `Coverage ${percentText(summary)}${below}: ${summary.managed} of ${plural(summary.existing, "thing", "things")} on the platform ${summary.managed === 1 ? "is" : "are"} in a stack${failed}`;
}

/** `analytics/prod`, or with the file of the state. */
export function stackTitle({ project, stack, file }: CoverageReport["stacks"][number]): string {
  const name = project === "" ? stack : `${project}/${stack}`;
  return file === undefined ? name : `${name} (${file})`;
}

/** `account 1001 (Analytics) at https://api.example.com` */
export function accountTitle({ id, name, platform }: AccountCoverage): string {
  const account = id === undefined ? "the token's account" : `account ${id}${name === undefined ? "" : ` (${name})`}`;
  return `${account} at ${platform}`;
}

/** `folders and their policies: the API does not list folders; 2 resources declare some` */
export function unlistedText({ what, why, account, declared }: Unlisted, { accounts }: CoverageReport): string {
  const where = account === undefined || accounts.length < 2 ? "" : ` of ${accountTitle(accounts[account]!)}`;
  const some = declared > 0 ? `; ${plural(declared, "resource")} of the stacks, not counted` : "";
  return `${what}${where}: ${why}${some}`;
}
