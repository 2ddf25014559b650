import { expect, test } from "vitest";
import { freshEmulator } from "../../harness/emulators";
import { definitionOf, inProcess } from "../../harness/in-process";

/** What the core says about every resource, as its definition tells. */

const emulator = freshEmulator({ extended: true });

test.each([
  ["DataStore", { dbHost: "db.example.com", dbName: "sales" }, false, true],
  ["DataStore", { dbHost: "db.example.com", dbName: "sales" }, true, false],
  ["Account", { name: "blue", defloc: "s3://blue/logs" }, true, true],
  ["EnabledUser", { svcUserId: "107" }, false, false],
  ["Command", { tableRefresh: { dbName: "default", hiveTable: "daily_ticks" } }, false, false],
])(
  "the preview of a new %s that is left behind if only its name was changed (%j, extended: %s)",
  async (type, inputs, extended, isSaid) => {
    const { life, said } = inProcess(definitionOf(type), emulator, { extended });
    await life.foresee(undefined, inputs);
    const advice = `${type}: creates a new one, which the API cannot remove. If this resource was renamed or moved, give it an alias`;
    expect(said.infos.some((info) => info.startsWith(advice))).toBe(isSaid);
  },
);

test.each([
  ["GroupRoleAssignment", { groupId: 999, role: "analyst" }, "Check groupId and role"],
  [
    "ObjectPolicy",
    { sourceType: "note", sourceId: "9999", policy: [], onDestroy: "keep" },
    "Check sourceType and sourceId",
  ],
  ["PackageSet", { envId: 999, sourceType: "python_package", packages: ["polars"] }, "Check envId and sourceType"],
])("what a %s does not find: the error names the inputs that say where it is", async (type, inputs, advice) => {
  const { life } = inProcess(definitionOf(type), emulator);
  await expect(life.create(inputs)).rejects.toThrow(new RegExp(`not found \\(404\\): there is no .*\\. ${advice}$`));
});
