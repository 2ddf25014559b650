import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { withoutSecrets } from "../../../provider/components/secret-paths";
import { teamEnvironment } from "../../../provider/components/team-environment";
import { pathsOf, secretsOf } from "../../../provider/core/secrets";
import { root } from "../../harness/engine";

const schema = JSON.parse(readFileSync(join(root, "sdk/environment.schema.json"), "utf8"));
/** An editor would do the same. */
const accepts = (value: unknown): boolean => z.fromJSONSchema(schema).safeParse(value).success;

describe("the published JSON schema", () => {
  test.each(["blue", "green"])("accepts the example's %s", (name) => {
    const file = join(root, `examples/environment-files/environments/${name}.yaml`);
    expect(accepts(parse(readFileSync(file, "utf8")))).toBe(true);
  });

  test.each([
    ["an unknown part", { acount: {} }],
    ["an unknown property", { dataStores: { a: { dbHots: "h", dbHost: "h", dbName: "n" } } }],
    ["a missing property", { dataStores: { a: { dbHost: "h" } } }],
    ["another value of an enumeration", { dataStores: { a: { dbHost: "h", dbName: "n", dbType: "oracle" } } }],
    ["a part of the wrong kind", { whitelist: ["203.0.113.7"] }],
    ["an empty list", { whitelist: { addresses: [] } }],
    ["too large a number", { account: { name: "a", idleClusterTimeout: 7 } }],
    ["a part that cannot be in the new account", { account: { name: "a" }, inNewAccount: ["everything"] }],
  ])("refuses %s, as the check does", (_, value) => {
    expect(accepts(value)).toBe(false);
    expect(teamEnvironment.check(value)).not.toEqual([]);
  });

  test.each([
    { account: { name: "a", storageSecretKey: "plain" } },
    { dataStores: { a: { dbHost: "h", dbName: "n", dbPasswd: "plain" } } },
    { jobs: { a: { s3DistCp: { src: "s3://a", dest: "s3://b", encryptionKey: "plain" } } } },
  ])("refuses a secret in plain text: %j", (value) => {
    expect(accepts(value)).toBe(false);
    const referred = JSON.parse(JSON.stringify(value).replace('"plain"', '{"$secret":"name"}')) as object;
    expect(accepts(referred)).toBe(true);
  });

  test("the check of what other languages send never sees a secret", () => {
    const given = {
      account: { name: "a", storageSecretKey: 12345 },
      dataStores: { a: { dbHost: "h", dbPasswd: ["x"] } },
    };
    const visible = JSON.stringify(withoutSecrets(pathsOf(secretsOf(teamEnvironment)), given));
    expect(visible).not.toMatch(/12345|"x"/);
    expect(visible).toContain('"dbHost":"h"');
  });

  test("describes every property, for editors", () => {
    for (const [name, { description }] of Object.entries(schema.properties as Record<string, { description?: string }>))
      expect(description, name).toBeTruthy();
  });
});
