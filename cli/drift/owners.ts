import type { Client } from "../../provider/api/client";
import {
  type AccountMismatch,
  accountBehind,
  accountOf,
  accountText,
  mismatchOf,
  type TokenAccount,
} from "../platform/accounts";
import type { Managed } from "../pulumi/managed";
import type { ResourceReport } from "./report";

interface Group {
  readonly resources: Set<Managed>;
  /** Asked while the resources are read. Undefined as long as no resource tells whose it is. */
  account?: Promise<TokenAccount | undefined>;
}

/** Which account each token belongs to, and whether the resources that are read with it belong to that account. */
export class Owners {
  readonly #groups = new Map<Client, Group>();

  note(resource: Managed, client: Client): Client {
    const group: Group = this.#groups.get(client) ?? { resources: new Set() };
    this.#groups.set(client, group);
    group.resources.add(resource);
    if (accountOf(resource) !== undefined) group.account ??= accountBehind(client);
    return client;
  }

  /** The reports, with an error for everything that a token of another account was asked about. */
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
  const reason = `${whose}, but the token belongs to ${accountText(token)}, so whether it still exists is unknown`;
  return { urn, type, name, id, status: "error", reason };
}

/** Gone, or just not visible to this token: the reader must know that the token's account was not checked. */
function ofUnknownAccount(report: ResourceReport, own: string): ResourceReport {
  if (report.status !== "gone") return report;
  const reason = `It belonged to account ${own}. The account of the token is not known, because it may not view the account: check that it is the same one.`;
  return { ...report, reason };
}
