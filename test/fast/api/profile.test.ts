import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extendedOperations } from "../../../provider/api/extended-operations";
import { operations } from "../../../provider/api/operations";
import { Profile } from "../../../provider/api/profile";
import { readSettings } from "../../../provider/api/settings";
import { role } from "../../../provider/resources/role";
import { args } from "../../cases/role";
import { freshEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";
import { inProcess } from "../../harness/in-process";

const folder = testFolder();
const file = (content: unknown) => {
  const path = join(folder, "platform.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};
const { submitCommand, removePackages, viewAccount } = operations;
const { editAccountV1, listRoles } = extendedOperations;

describe("a profile", () => {
  const profile = Profile.read(
    file({
      readings: {},
      requests: {
        "POST /api/v1.2/commands/": { with: { command_type: "HiveCommand" } },
        "DELETE /api/v1.2/package/{envId}/remove_packages": { parameters: "query", path: "/api/v1.2/p/{envId}" },
        "PUT /api/v1.2/account/": { under: "account", parameters: "body" },
        "GET /api/v1.2/account/": { with: { full: true } },
        "GET /api/v1.2/roles": "lacking",
      },
    }),
  );

  test("adds parameters where there are none of that name", () => {
    expect(profile.written(submitCommand, { body: { a: 1 } }).body).toEqual({ command_type: "HiveCommand", a: 1 });
    const spark = { command_type: "SparkCommand" };
    expect(profile.written(submitCommand, { body: spark }).body).toEqual(spark);
    expect(profile.written(viewAccount, {})).toEqual({ query: { full: true } });
  });

  test("moves parameters, wraps them, and names another path", () => {
    expect(profile.written(removePackages, { body: { a: 1 } })).toEqual({ query: { a: 1 } });
    expect(profile.pathOf(removePackages)).toBe("/api/v1.2/p/{envId}");
    const written = profile.written(editAccountV1, { query: { b: 2 }, body: { a: 1 } });
    expect(written).toEqual({ query: {}, body: { account: { b: 2, a: 1 } } });
  });

  test("leaves everything else as it is", () => {
    const request = { query: { page: 2 }, body: { a: 1 } };
    for (const operation of [listRoles, operations.assignRole]) {
      expect(profile.written(operation, request)).toBe(request);
      expect(profile.pathOf(operation)).toBe(operation.path);
    }
    expect([profile.lacks(listRoles), profile.lacks(viewAccount)]).toEqual([true, false]);
  });

  test.each([
    ["not JSON", /is ".*platform.json", which cannot be used: .*JSON/],
    [{ requests: { "GET /nowhere": "lacking" } }, /there is no request GET \/nowhere; docs\/operations.md lists them/],
    [{ requests: { "GET /api/v1.2/roles": { parameter: "query" } } }, /parameter/],
    [{ requests: { "GET /api/v1.2/roles": { path: "https://evil.example.com/" } } }, /must begin with \/api\//],
    [
      { requests: { "GET /api/v1.2/groups/{group}": { path: "/api/v1.2/groups/7" } } },
      /must have the same parameters: \{group\}/,
    ],
  ])("%j is a clear error", (content, says) => {
    const env = { DATAPLATFORM_API_TOKEN: "t", DATAPLATFORM_PROFILE: file(content) };
    const read = () => readSettings((name) => (name === "baseUrl" ? "https://api.example.com" : undefined), env);
    expect(read).toThrow(says);
    expect(read).toThrow(/^dataplatform:profile \(or DATAPLATFORM_PROFILE\)/);
  });
});

const emulator = freshEmulator({ extended: true });

test("what a profile says is lacking is not tried, and there is no warning", async () => {
  const platform = {
    ...emulator,
    url: emulator.url,
    profile: file({ requests: { "GET /api/v1.2/roles": "lacking" } }),
  };
  const { life, said } = inProcess(role, platform, { extended: true });
  await life.create(args);
  expect(emulator.requests().counts["roles.list"]).toBeUndefined();
  expect(said.warnings).toEqual([]);
});
