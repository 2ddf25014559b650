import { describe, expect, test } from "vitest";
import { extendedLives } from "../../cases";
import { eachReading } from "../../harness/emulators";
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

type Values = Parameters<typeof eachReading>[0];
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

  const [, ...readings] = eachReading(values);
  test.concurrent.each(readings)("%j: lives as usual", async (reading) => {
    expect(await courseOf(life, { readings: reading })).toEqual(await usual());
  });
});
