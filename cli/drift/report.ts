import { z } from "zod";
import { mismatchHeadline } from "../platform/accounts";
import { plural } from "../terminal/plural";
import { Overwritten } from "./overwritten";
import { WhitelistChange } from "./whitelist";

/** Most important first. */
export const statuses = ["drifted", "gone", "error", "unverifiable", "as-declared"] as const;
export type Status = (typeof statuses)[number];

const PropertyDrift = z.object({
  property: z.string(),
  /** Absent if not set; masked if secret. */
  declared: z.unknown().optional(),
  actual: z.unknown().optional(),
  secret: z.boolean(),
});
export type PropertyDrift = z.output<typeof PropertyDrift>;

const ResourceReport = z.object({
  urn: z.string(),
  type: z.string(),
  name: z.string(),
  id: z.string(),
  status: z.enum(statuses),
  /** Why it could not be read, or cannot be verified. */
  reason: z.string().optional(),
  properties: z.array(PropertyDrift).optional(),
  /** What `pulumi up --refresh` would do about it. */
  repair: z.enum(["update", "replace", "create"]).optional(),
  /** If gone: the address, user or object on the platform; masked if secret. */
  lost: z.string().optional(),
});
export type ResourceReport = z.output<typeof ResourceReport>;

const TokenAccount = z.object({ id: z.string(), name: z.string().optional() });

export const AccountMismatches = z.array(
  z.object({
    platform: z.string(),
    token: TokenAccount,
    resourceAccounts: z.array(z.string()).readonly(),
    urns: z.array(z.string()).readonly(),
  }),
);

export const DriftReport = z.object({
  /** Increases with breaking changes. */
  format: z.literal(1),
  tool: z.string(),
  project: z.string(),
  stack: z.string(),
  checkedAt: z.string(),
  /** Base URLs of the platforms. */
  platforms: z.array(z.string()),
  summary: z.object({
    resources: z.int(),
    drifted: z.int(),
    gone: z.int(),
    error: z.int(),
    unverifiable: z.int(),
    "as-declared": z.int(),
  }),
  /** Of the token that resources without an explicit provider use, if it shows its account. */
  account: TokenAccount.optional(),
  /** Resources of other providers, not checked. */
  otherResources: z.int(),
  /** When a refresh changed the state, if that was after the last `up`: what it overwrote is not compared. */
  refreshedAt: z.string().optional(),
  /** Tokens that belong to a different account than the resources: what they cannot read is not drift. */
  accountMismatches: AccountMismatches.optional(),
  /** With `--plan-file`. */
  whitelist: WhitelistChange.optional(),
  overwritten: z.array(Overwritten).optional(),
  /** With `--only`: the listed statuses. The summary still counts everything. */
  only: z.array(z.enum(statuses)).optional(),
  resources: z.array(ResourceReport),
});
export type DriftReport = z.output<typeof DriftReport>;

export const titles: Readonly<Record<Status, string>> = {
  drifted: "drifted",
  gone: "gone",
  error: "not readable",
  unverifiable: "not verifiable",
  "as-declared": "as declared",
};

/** Completes "a repair would …". */
export const repairs = { update: "update it", replace: "replace it", create: "recreate it" } as const;

/** Counts by status, and sorts by importance, type and name. */
export function summarise(resources: readonly ResourceReport[]): Pick<DriftReport, "summary" | "resources"> {
  const count = (status: Status) =>
    [status, resources.filter((resource) => resource.status === status).length] as const;
  const byImportance = (a: ResourceReport, b: ResourceReport): number =>
    statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
    a.type.localeCompare(b.type) ||
    a.name.localeCompare(b.name);
  return {
    summary: { resources: resources.length, ...(Object.fromEntries(statuses.map(count)) as Record<Status, number>) },
    resources: [...resources].sort(byImportance),
  };
}

/** Errors outrank drift: an unreadable resource may have drifted too. */
export function exitCode({ summary }: DriftReport): number {
  if (summary.error > 0) return 1;
  return summary.drifted + summary.gone > 0 ? 2 : 0;
}

export function headline({ summary, refreshedAt, accountMismatches = [] }: DriftReport): string {
  const differ = summary.drifted + summary.gone;
  const [wrongAccount] = accountMismatches;
  if (wrongAccount) return mismatchHeadline(wrongAccount);
  if (summary.resources === 0) return "The stack has no data platform resources";
  const declared = refreshedAt === undefined ? "what is declared" : "the refreshed state";
  if (differ > 0)
    return `Drift: ${differ} of ${plural(summary.resources, "resource")} ${differ === 1 ? "differs" : "differ"} from ${declared}`;
  const since = refreshedAt === undefined ? "" : ` since the refresh of ${minuteOf(refreshedAt)}`;
  const unseen = summary.unverifiable > 0 ? `; ${summary.unverifiable} cannot be verified` : "";
  if (summary.error > 0) {
    const others = summary.resources - summary.error - summary.unverifiable;
    const rest = others > 0 ? `; ${others} of the others show no drift${since}` : "";
    return `${plural(summary.error, "resource")} could not be read${rest}${unseen}`;
  }
  if (since) return `No drift${since}${unseen}; "pulumi preview" shows whether the program declares something else`;
  return `No drift: every readable resource is as declared${unseen}`;
}

/** What a refresh after the last `up` keeps this report from seeing. */
export function refreshNote({ refreshedAt }: DriftReport): string | undefined {
  if (refreshedAt === undefined) return undefined;
  return `The refresh of ${minuteOf(refreshedAt)} wrote what the platform showed into the state, and no "pulumi up" has succeeded since. Drift compares with the state, so it cannot see what that refresh overwrote; "pulumi preview" compares with the program.`;
}

/** `2024-05-01T06:00Z` */
function minuteOf(time: string): string {
  return `${time.slice(0, 16)}Z`;
}
