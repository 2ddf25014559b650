import { describe, expect, test } from "vitest";
import type { Readings } from "../../../emulator/readings";
import { extendedLives, lives } from "../../cases";
import { step } from "../../harness/steps";
import { courseOf, type Life } from "../../sweep/forms/course";

/**
 * The manual leaves open how the platform does some things, and the emulator can be switched to each reading. On all of
 * them a resource lives as on the usual one: what is created, what a refresh notices, what is sent and what is said.
 */

const ofMembers = {
  groupList: ["array"],
  groupUsers: ["svc_users", "array", "ids", "emails"],
  memberRepeated: ["refused"],
  userEntry: ["manual"],
} as const;

const emptyPolicy = ["array", "object", "null", "empty"] as const;
/** What a platform adds to a policy is with the tests of policies and grants: there, it is not as usual. */
const ofPolicies = {
  policyView: ["wrapped", "wrapped-text", "policy-only", "array", "text"],
  policyMissing: [...emptyPolicy, "404"],
  policyFields: ["kept"],
  idType: ["text-everywhere"],
  refusalStatus: ["200"],
} as const;
/** The life of a note, which has a policy: with the extended API, the cases have an environment, which has none. */
const ofNotes = (type: string): Partial<Life> => lives.find((one) => one.type === type)!;

type Values = { readonly [N in keyof Readings]?: readonly Readings[N][] };
const turned: [type: string, values: Values, more?: Partial<Life>][] = [
  ["GroupMembership", ofMembers],
  [
    "Group",
    {
      ...ofMembers,
      groupList: ["array", "paged"],
      groupRecord: ["ids", "records"],
      groupCreateAnswer: ["id", "record"],
      groupUpdateLists: ["replaced"],
      roleRepeated: ["refused"],
      groupRoles: ["array", "names", "ids"],
    },
  ],
  ["GroupRoleAssignment", { groupRoles: ["array", "names", "ids"], roleList: ["array"], roleRecord: ["plain"] }],
  [
    "GroupRoleAssignment",
    { groupRoles: ["array", "names", "ids"] },
    { args: { groupId: 205, role: "301" }, present: () => {} },
  ],
  ["Role", { roleList: ["array", "paged"], roleRecord: ["array", "policies"], pageOutOfBounds: ["404"] }],
  // Such a record does not show what others have changed.
  ["Role", { roleRecord: ["plain"] }, { drift: undefined }],
  ["PackageSet", { packageEntries: ["objects", "map"], packageKeys: ["source-types"] }],
  ["PackageSet", { packageHistory: ["empty", "absent"], idType: ["text-everywhere"] }],
  ["ObjectPolicy", ofPolicies, ofNotes("ObjectPolicy")],
  ["ObjectPolicy", { policyMissing: emptyPolicy }],
  ["ObjectGrant", ofPolicies, ofNotes("ObjectGrant")],
  ["ObjectGrant", { policyMissing: emptyPolicy }],
  // There, what somebody else has emptied is gone.
  ["ObjectPolicy", { policyMissing: ["404"] }, { drift: undefined }],
  ["ObjectGrant", { policyMissing: ["404"] }, { drift: undefined }],
  ["FolderPolicy", ofPolicies],
  ["FolderGrant", ofPolicies],
  [
    "DataStore",
    {
      pageOutOfBounds: ["404"],
      dataStoreList: ["unpaged"],
      dataStoreViewName: ["shown"],
      dataStoreViewPassword: ["masked", "absent", "as-sent"],
      dataStoreViewPort: ["default"],
      dataStoreViewGateway: ["shown"],
      dataStoreEditPort: ["both"],
      dataStoreEditAnswer: ["status", "empty"],
      idType: ["text"],
      refusalStatus: ["200"],
    },
  ],
  ["Command", { cancelAnswer: ["command", "status", "id-status", "object", "empty", "204"] }],
  ["Account", { notShownAnswer: ["detailed", "object", "null", "done", "success", "empty", "204"] }],
];

describe.each(turned.map(([type, values, more = {}]) => [type, values, more] as const))("%s with %j", (...row) => {
  const [type, values, more] = row;
  const life = { ...extendedLives.find((one) => one.type === type)!, ...more };
  const usual = step("the usual life", () => courseOf(life));

  test("the usual life fails nowhere, loses nothing, sends nothing twice", async () => {
    for (const [what, { failures, lost, sentAgain }] of Object.entries((await usual()).steps))
      expect({ failures, lost, sentAgain }, what).toEqual({ failures: [], lost: [], sentAgain: [] });
  });

  const all = Object.entries(values) as [string, readonly unknown[]][];
  const readings = all.flatMap(([name, others]) => others.map((reading) => ({ [name]: reading }) as Partial<Readings>));
  test.concurrent.each(readings)("%j: lives as usual", async (reading) => {
    expect(await courseOf(life, { readings: reading })).toEqual(await usual());
  });
});
