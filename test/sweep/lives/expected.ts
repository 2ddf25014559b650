import { operations } from "../../../provider/api/operations";

/**
 * What is impossible under a reading, and what must be seen then: a clear error, a correct state, and nothing created
 * twice. Every finding must match one of the patterns, and every row must be needed.
 */
export interface Expected {
  readonly reading: string;
  readonly findings: readonly RegExp[];
  readonly reason: string;
  /** With this in a profile, it is possible. */
  readonly requests?: Requests;
  /** Where the platform must also read the parameters in another place. */
  readonly switches?: Readonly<Record<string, string>>;
}

export type Requests = Readonly<Record<string, object>>;

/** The operations that the specification prints with a slash at the end. */
const withoutSlash: Requests = Object.fromEntries(
  Object.values(operations)
    .filter(({ path }) => path.endsWith("/"))
    .map(({ method, path }) => [`${method} ${path}`, { path: path.slice(0, -1) }]),
);

/** It was not created and does not exist. */
const absent = (fact: string) => new RegExp(`^(created|changed|destroyed) ${fact}.*: .* → absent$`);
const step = "(create|idle after create|drift after create|change|idle after change|drift after change)";
/** Every run that declares it fails the same way. */
const refused = (name: string, why: string) => new RegExp(`^${step} ${name}: .*${why}`);
/** The next run of a failed program sends the rejected requests again. */
const triedAgain = /^(idle|drift) after (create|change) (GET|POST|PUT|DELETE) /;

export const expected: readonly Expected[] = [
  {
    reading: "dataStoreValidation=fails",
    findings: [refused("store", "422.*cannot be reached"), absent("101 data store"), triedAgain],
    reason: "the platform cannot reach the database; skipValidation is the user's to set",
  },
  {
    reading: "deprecation=410",
    findings: [
      refused("(address|addresses|account)", "\\(410\\): gone"),
      /^function (getAccount|getWhitelistedIps): .*\(410\): gone/,
      /^(refresh after (create|change)|import) (account|address|addresses): .*\(410\): gone/,
      absent("(101 address|account second life)"),
      triedAgain,
    ],
    reason: "the operations are gone, and the shapes of the newer ones are not shown",
  },
  ...["400", "dropped"].map((value) => ({
    reading: `getBodies=${value}`,
    findings: [
      /^function getObjectPolicy: /,
      refused("(notebook|cluster)", "could not view an object policy"),
      /^import (notebook|cluster): .*could not view an object policy/,
      /^(created|changed) 101 (note 501|cluster 602): /,
      triedAgain,
    ],
    reason: "the policy is viewed by the JSON body of a GET alone; onDestroy: keep or clear does without the view",
    requests: { "GET /api/v1.2/object_policy/policy": { parameters: "query" } },
    switches: { policyViewSource: "query or body" },
  })),
  {
    reading: "hiveEmpty=missing",
    findings: [/^function getHiveTables: .*not found \(404\): no tables/],
    reason: "the answer for no table is that for a path that is not served",
  },
  {
    reading: "packageOtherVersion=conflict",
    findings: [
      refused("(packages|presentPackages)", "conflict \\(409\\): .* is installed already"),
      /^changed 101 python_package 4[12] /,
      triedAgain,
    ],
    reason: "the platform does not change versions; removing the package first is the user's decision",
  },
  {
    reading: "packageOtherVersion=kept, well",
    findings: [/^changed 101 python_package 4[12] (dask|requests): 2(\.1)? → /],
    reason: "the platform says that it is done and keeps the old version; the API cannot list packages",
  },
  ...["conflict", "invalid"].map((value) => ({
    reading: `packagePresent=${value}`,
    findings: [
      refused("presentPackages", "numpy is installed already"),
      /^(created|changed|destroyed) 101 python_package 41 (dask|numpy): /,
      triedAgain,
    ],
    reason: "the platform refuses a package that was there before the program",
  })),
  {
    reading: "policyEmpty=refused",
    findings: [
      /^destroy cluster: .*policy has no elements.*set onDestroy to "keep"/,
      /^destroy folderPolicy: .*policy has no elements/,
      /^destroyed 101 (cluster 602|folder 32 policy): /,
      /^destroyed the state still has (cluster|folderPolicy|cluster, folderPolicy|folderPolicy, cluster)$/,
    ],
    reason: "there is no way to clear a policy; the error says so, and the state keeps the resource",
  },
  {
    reading: "policyEmpty=without effect",
    findings: [/^destroyed 101 (cluster 602|folder 32 policy): /],
    reason: "the platform says that it is done and keeps the policy; where it shows the policy, a warning tells",
  },
  ...["all written out", "deny-all appended"].map((value) => ({
    reading: `policyKept=${value}`,
    findings: [
      /^(created|changed|destroyed) 101 (note 501|cluster 602|folder 32 policy): /,
      /^import (notebook|cluster): differs in policy$/,
    ],
    reason: "the platform writes a policy in its own way, which is not drift; an import takes what is shown",
  })),
  {
    reading: "policyUserIds=user_id of get_users",
    findings: [
      refused("(notebook|cluster)", "svc_users: 1[14] is not known"),
      /^(created|changed) 101 (note 501|cluster 602): /,
      /^import (notebook|cluster): differs in policy/,
      triedAgain,
    ],
    reason: "contradicts 2.6: the ids of policies are not the ordinary user ids",
  },
  {
    reading: "policyViewNone=missing",
    findings: [/^function getObjectPolicy: .*not found \(404\): the object has no policy/],
    reason: "the answer for an object without a policy is that for one that does not exist",
  },
  {
    reading: "policyViewNone=owner only",
    findings: [/^destroyed 101 cluster 602: .*"users":\["20"\]/],
    reason: "the policy that is shown for none is put back as it was shown",
  },
  ...["deny first", "reversed"].map((value) => ({
    reading: `policyViewOrder=${value}`,
    findings: [/^import (notebook|cluster): differs in policy$/],
    reason: "an import takes the order that is shown; the next up sends the program's",
  })),
  {
    reading: "sensorMeaning=always false",
    findings: [refused("hastySensor", "timed out after 3 s"), triedAgain],
    reason: "what is waited for never comes",
  },
  ...[
    ["running, then error", "ended with status error"],
    ["cancelled", "ended with status cancelled"],
    ["killed", "timed out after 3 s.*status killed"],
    ["unknown words", "ended with status Finished_ok, a word that the provider does not know"],
  ].map(([value, why]) => ({
    reading: `statusCourse=${value}`,
    findings: [refused("waited", why!), triedAgain],
    reason: "a wait ends well with done alone; the command is kept, and never submitted again by itself",
  })),
  {
    reading: "whitelistRanges=refused",
    findings: [
      refused("range", "422.*is not a single IP address"),
      absent("101 address"),
      triedAgain,
      /^import range: /,
    ],
    reason: "the specification calls ip_cidr an address; whether it may be a range is not said",
  },
  {
    reading: "trailingSlash=308 to no slash",
    findings: [
      /^function (getAccount|getHiveTables): .*redirect \(308\)/,
      refused("store", "redirect \\(308\\)"),
      /^(refresh after (create|change)|import) account: .*redirect \(308\)/,
      absent("101 data store"),
      triedAgain,
    ],
    reason: "redirects are not followed, for the token would go with them; the paths are those printed",
    requests: withoutSlash,
  },
  {
    reading: "trailingSlash=never",
    findings: [
      /^function (getAccount|getHiveTables): .*not found \(404\)/,
      refused("store", "not found \\(404\\)"),
      absent("101 data store"),
      triedAgain,
    ],
    reason: "contradicts 4.7, 4.8 and 4.12, which print the slash",
    requests: withoutSlash,
  },
  {
    reading: "whitelistFeature=not enabled, all refused",
    findings: [
      refused("(address|addresses)", "whitelisting is not enabled for this account"),
      /^(function getWhitelistedIps|import (address|addresses)): /,
      absent("101 address"),
      triedAgain,
    ],
    reason: "support has not enabled whitelisting",
  },
  {
    reading: "whitelistFeature=not enabled, add without effect",
    findings: [
      refused("(address|addresses)", "but does not list it yet"),
      /^refresh after (create|change) (address|addresses): .* is lost$/,
      /^import address: /,
      absent("101 address"),
      triedAgain,
    ],
    reason: "the platform says that it is done and lists nothing: reported every time, and gone at the next refresh",
  },
  {
    reading: "whitelistPages=2 a page, nothing said",
    findings: [
      /^function getWhitelistedIps: /,
      / address(es)?: /,
      /(GET|POST) \/api\/v1\.2\/whitelist_ip/,
      / 101 address /,
    ],
    reason: "a list that is cut without a word is not the list of the specification, and nobody can tell",
  },
  {
    reading: "usersPages=3 a page, nothing said",
    findings: [/^function get(PendingUsers|Users|UserEmails): /, / user: /, /enable_svc_user/],
    reason: "a list that is cut without a word looks complete",
  },
  {
    reading: "refreshCommandType=HiveCommand needed",
    findings: [
      /^function submitCommand: .*command_type HiveCommand is required/,
      refused("refresh", "422.*command_type HiveCommand is required"),
      absent("101 command refresh"),
      triedAgain,
    ],
    reason: "the specification's table refresh has no type, and a refused request is not sent again in another form",
    requests: { "POST /api/v1.2/commands/": { with: { command_type: "HiveCommand" } } },
  },
  {
    reading: "packageRemoveSource=query",
    findings: [
      refused("packages", "could not remove packages.*422"),
      /^destroy (packages|presentPackages): .*could not remove packages.*422/,
      /^(changed|destroyed) 101 python_package /,
      /^destroyed the state still has packages/,
      triedAgain,
    ],
    reason: "parameters are sent in the body, and a refused request is not sent again in another form",
    requests: { "DELETE /api/v1.2/package/{envId}/remove_packages": { parameters: "query" } },
  },
  {
    reading: "folderLocationAfter=unchanged",
    findings: [/^change folder: .*The next "pulumi up" looks at/, /^changed 101 folder 33 name: /, triedAgain],
    reason: "the specification does not say whether a rename moves the folder: the next up looks where it was",
  },
  {
    reading: "statusCourse=killed",
    findings: [/ waited: command \d+ ended with status killed/],
    reason: "a command that was killed has not succeeded",
  },
];
