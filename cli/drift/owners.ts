import type { Client } from "../../provider/api/client";
import {
  type AccountMismatch,
  accountOf,
  accountOfToken,
  accountText,
  mismatchOf,
  type TokenAccount,
} from "../platform/accounts";
import type { Managed } from "../pulumi/managed";
import type { ResourceReport } from "./report";

interface Group {
  readonly resources: Set<Managed>;
  /** Fetched while the resources are read. Undefined until a resource names its account. */
  account?: Promise<TokenAccount | undefined>;
}

/** Checks that the resources read with each token belong to the token's account. */
export class Owners {
  readonly #groups = new Map<Client, Group>();

  note(resource: Managed, client: Client): Client {
    const group: Group = this.#groups.get(client) ?? { resources: new Set() };
    this.#groups.set(client, group);
    group.resources.add(resource);
    if (accountOf(resource) !== undefined) group.account ??= accountOfToken(client);
    return client;
  }

  /** The reports, with an error for each resource that was read with a token of another account. */
  async judge(
    reports: readonly ResourceReport[],
  ): Promise<{ readonly judged: ResourceReport[]; readonly mismatches: AccountMismatch[] }> {
    const mismatches: AccountMismatch[] = [];
    const verdicts = new Map<string, (report: ResourceReport) => ResourceReport>();
    for (const [client, { resources, account }] of this.#groups) {
      const token = await account;
      const mismatch = mismatchOf(client.settings.baseUrl, token, [...resources]);
      if (mismatch) mismatches.push(mismatch);
      for (const resource of resources) {
        const own = accountOf(resource);
        if (mismatch?.urns.includes(resource.urn))
          verdicts.set(resource.urn, (report) => ofOtherAccount(report, mismatch, own));
        else if (!token && own !== undefined) verdicts.set(resource.urn, (report) => ofUnknownAccount(report, own));
      }
    }
    return { judged: reports.map((report) => verdicts.get(report.urn)?.(report) ?? report), mismatches };
  }
}

function ofOtherAccount(
  { urn, type, name, id }: ResourceReport,
  { token, resourceAccounts }: AccountMismatch,
  own: string | undefined,
): ResourceReport {
  const whose =
    own === undefined
      ? `the other resources belong to account ${resourceAccounts.join(", ")}`
      : `it belongs to account ${own}`;
  const reason = `${whose}, but the token belongs to ${accountText(token)}, so it cannot be checked`;
  return { urn, type, name, id, status: "error", reason };
}

/** Gone, or merely invisible to this token: say that the token's account could not be checked. */
function ofUnknownAccount(report: ResourceReport, own: string): ResourceReport {
  if (report.status !== "gone") return report;
  const reason = `It belonged to account ${own}. The token may not view its own account, so check that it is the same one.`;
  return { ...report, reason };
}
