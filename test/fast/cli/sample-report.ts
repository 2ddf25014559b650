import { type DriftReport, type ResourceReport, summarise } from "../../../cli/drift/report";

export function reportOf(resources: readonly ResourceReport[], more: Partial<DriftReport> = {}): DriftReport {
  return {
    ...{ format: 1, tool: "pulumi-dataplatform 0.1.0", checkedAt: "2024-05-01T06:00:12.345Z" },
    ...{ project: "analytics", stack: "prod", platforms: ["https://api.example.com"], otherResources: 3 },
    ...summarise(resources),
    ...more,
  };
}

export function resourceOf(type: string, name: string, id: string, more: Partial<ResourceReport>): ResourceReport {
  const urn = `urn:pulumi:prod::analytics::dataplatform:index:${type}::${name}`;
  return { urn, type, name, id, status: "as-declared", ...more };
}

const denyRest = { access: "deny", action: ["all"], condition: { svcGroups: [203] } };

/** One of each kind, as a real stack has them. */
export const sample: readonly ResourceReport[] = [
  resourceOf("ObjectPolicy", "churn-notebook", "note/501", {
    status: "drifted",
    repair: "update",
    properties: [
      {
        property: "policy",
        declared: [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }, denyRest],
        actual: [
          { access: "allow", action: ["read", "update"], condition: { svcGroups: [203], svcUsers: [107] } },
          denyRest,
        ],
        secret: false,
      },
    ],
  }),
  resourceOf("Account", "sandbox", "1003", {
    status: "drifted",
    repair: "replace",
    properties: [
      { property: "idleSessionTimeout", declared: 1440, actual: 10800, secret: false },
      { property: "storageSecretKey", declared: "[secret]", actual: "[secret]", secret: true },
    ],
  }),
  resourceOf("WhitelistedIp", "office", "12", { status: "gone", repair: "create" }),
  resourceOf("EnabledUser", "ana", "ana@example.com", {
    status: "error",
    reason:
      "cannot read EnabledUser ana@example.com: could not list the users: the token's user is not allowed to do this (403); the user must be in system-user or system-admin, or in a group with a role that allows viewing an account's details",
  }),
  ...["warehouse", "crm"].map((name, index) =>
    resourceOf("DataStore", name, `4${index}`, { status: "unverifiable", reason: "the API cannot show a data store" }),
  ),
  ...Array.from({ length: 9 }, (_, index) => resourceOf("WhitelistedIp", `branch-${index + 1}`, `10${index}`, {})),
];
