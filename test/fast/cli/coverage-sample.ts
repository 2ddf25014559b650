import { type CoverageReport, countOf, type Unmanaged } from "../../../cli/drift/coverage/report";

export function thing(what: string, more: Partial<Unmanaged> = {}): Unmanaged {
  const adopt = { type: "WhitelistedIp", name: "ip", id: "13", command: `pulumi import ${what}` };
  return { account: 0, kind: "address", what, id: "13", import: adopt, ...more };
}

/** Addresses of one account. */
export function reportOf(existing: number, managed: number, more: Partial<CoverageReport> = {}): CoverageReport {
  const summary = countOf(existing, managed);
  const kinds = [{ kind: "address" as const, ...summary }];
  const account = {
    platform: "https://api.example.com",
    id: "1001",
    name: "Analytics",
    extendedApi: true,
    summary,
    kinds,
  };
  return {
    format: 1,
    report: "coverage",
    tool: "pulumi-dataplatform 0.1.0",
    checkedAt: "2024-05-01T06:00:12.345Z",
    stacks: [{ project: "analytics", stack: "prod", resources: managed }],
    accounts: [account],
    summary,
    kinds,
    unmanaged: Array.from({ length: existing - managed }, (_, index) => thing(`192.0.2.${index}`)),
    cannotBeListed: [{ what: "folders", why: "the API does not list folders", declared: 2 }],
    notCounted: [{ what: "Hive tables", why: "no resource manages them" }],
    unread: [],
    notes: [],
    ...more,
  };
}
