import type { Expected } from "./expected";

const failedEdit = [/^changed 101 data store (second )?store: /, /^(idle|drift) after change /];

/** As `expected`, for what is known about the extended operations. */
export const expectedExtended: readonly Expected[] = [
  {
    reading: "lacking=302 to a login page",
    findings: [
      /(address(es)?|store): .*redirect \(302\)/,
      /^destroyed (101 data store|the state still has)/,
      /^(created|changed) 101 address /,
      /^(refresh after|idle after|drift after|destroy) /,
      /^import address/,
    ],
    reason: "a redirect in answer to a write leaves its outcome open",
  },
  {
    reading: "lacking=200 HTML page",
    findings: [
      /not JSON/,
      /^(created|changed|destroyed) 101 /,
      /^(idle|drift) after (create|change) /,
      /is lost$/,
      /^destroyed the state still has/,
    ],
    reason: "a page with status 200 looks like that of a broken proxy, and an error says so",
  },
  {
    reading: "dataStoreEditSlash=with",
    findings: [
      /^change store: this installation cannot change/,
      ...failedEdit,
      /^refresh after change store: .* is lost$/,
    ],
    reason: "the manual prints the path without a slash; the next up replaces the data store",
    requests: { "PUT /api/v1.2/db_taps/{id}": { path: "/api/v1.2/db_taps/{id}/" } },
  },
  {
    reading: "dataStoreEditValidation=fails",
    findings: [/store: .*the data store cannot be reached/, ...failedEdit, /^import store: /],
    reason: "the platform cannot reach the database; skipValidation is the user's to set",
  },
  ...["memberDelay", "groupRolesDelay"].map((name) => ({
    reading: `${name}=after 2 reads`,
    findings: [/^drift after (create|change) (GET|PUT) /, /^refresh after (create|change) role: .* is lost$/],
    reason: "a refresh right after a change sees the platform's old list, and the next up sends the same again",
  })),
  ...[
    "groupRolesForm=comma text of ids",
    "groupRolesForm=records by id",
    ...["null", "{}", "empty body", "missing", "204"].map((value) => `groupRolesNone=${value}`),
  ].map((reading) => ({
    reading,
    findings: [/^import emptyGroup: differs in roles$/],
    reason: "an answer without a list proves nothing, so an import leaves the roles to the program",
  })),
  {
    reading: "rolePolicy=policy as object",
    findings: [/^function getRoles: /],
    reason: "a shape that nothing hints at: the policies are left out",
  },
  {
    reading: "rolePolicyKept=all written out",
    findings: [/^import roleItself: differs in policies$/],
    reason: "the platform writes a policy in its own way, which is not drift; an import takes what is shown",
  },
  {
    reading: "accountEditBody=under account",
    findings: [/account: .*account is required/, /^(idle|drift) after change /],
    reason: "repeating a refused edit in another form could be ignored and look like success",
    requests: {
      "PUT /api/v1.2/account/": { under: "account" },
      "PUT /api/v2/accounts/": { under: "account" },
    },
  },
  {
    reading: "lacking=403",
    findings: [/\(403\)/, /^(created|changed|destroyed) /, /^(idle|drift|refresh) after /, / is lost$/],
    reason: "a 403 is about the token, never about what an installation has",
  },
  ...["conflict", "invalid"].map((value) => ({
    reading: `groupDeleteMembers=${value}`,
    findings: [/^destroy (group|emptyGroup): .*has members/, /^destroyed /],
    reason: "members are taken out by members: [], not by a destroy that was refused",
  })),
  ...["folderPolicySource=query", "folderPolicyViewName=needed"].map((reading) => ({
    reading,
    findings: [
      / folderPolicy: .*could not view a folder policy.*422/,
      /^(created|changed) 101 folder 32 /,
      /^(idle|drift) after /,
    ],
    reason: "the policy is viewed as the manual says; onDestroy: keep or clear does without the view",
    ...(reading === "folderPolicySource=query" && {
      requests: { "GET /api/v1.2/folders/policy": { parameters: "query" } },
    }),
  })),
];
