import { accountOf } from "../platform/accounts";
import { type Ownership, wrongAccountReason } from "../platform/owners";
import type { ResourceReport } from "./report";

/** The reports, with an error for each resource that was read with a token of another account. */
export function judge(reports: readonly ResourceReport[], ownerships: readonly Ownership[]): ResourceReport[] {
  const verdicts = new Map<string, (report: ResourceReport) => ResourceReport>();
  for (const { token, resources, mismatch } of ownerships) {
    const wrong = new Set(mismatch?.urns);
    for (const resource of resources) {
      const own = accountOf(resource);
      if (mismatch && wrong.has(resource.urn))
        verdicts.set(resource.urn, (report) => ofOtherAccount(report, wrongAccountReason(mismatch, own)));
      else if (!token && own !== undefined) verdicts.set(resource.urn, (report) => ofUnknownAccount(report, own));
    }
  }
  return reports.map((report) => verdicts.get(report.urn)?.(report) ?? report);
}

function ofOtherAccount({ urn, type, name, id }: ResourceReport, reason: string): ResourceReport {
  return { urn, type, name, id, status: "error", reason };
}

/** Gone, or merely invisible to this token: say that the token's account could not be checked. */
function ofUnknownAccount(report: ResourceReport, own: string): ResourceReport {
  if (report.status !== "gone") return report;
  const reason = `It belonged to account ${own}. The token may not view its own account, so check that it is the same one.`;
  return { ...report, reason };
}
