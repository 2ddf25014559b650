import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { withoutSecrets } from "../../../provider/components/secret-paths";
import { teamEnvironment } from "../../../provider/components/team-environment";
import { pathsOf } from "../../../provider/core/secrets";
import { root } from "../../harness/engine";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const schema = JSON.parse(readFileSync(join(root, "sdk/environment.schema.json"), "utf8")) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};

/** As much of JSON Schema as the file uses: an editor would do the same. */
function accepts(rule: Schema, value: unknown): boolean {
  if (rule.$ref && !accepts(schema.$defs[rule.$ref.replace("#/$defs/", "")]!, value)) return false;
  if (rule.anyOf && !rule.anyOf.some((one) => accepts(one, value))) return false;
  if (rule.enum && !rule.enum.includes(value)) return false;
  if ("const" in rule && rule.const !== value) return false;
  if (rule.type && ![rule.type].flat().some((type) => isOf(type, value))) return false;
  if (typeof value === "number" && (value < (rule.minimum ?? value) || value > (rule.maximum ?? value))) return false;
  if (Array.isArray(value))
    return value.length >= (rule.minItems ?? 0) && value.every((item) => accepts(rule.items ?? {}, item));
  return typeof value !== "object" || value === null || acceptsObject(rule, value as Record<string, unknown>);
}

function acceptsObject(rule: Schema, value: Record<string, unknown>): boolean {
  if (rule.required?.some((name) => value[name] === undefined)) return false;
  return Object.entries(value).every(([name, inner]) => {
    const known = rule.properties?.[name] ?? rule.additionalProperties ?? {};
    return typeof known === "boolean" ? known : accepts(known, inner);
  });
}

function isOf(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  return typeof value === type && !Array.isArray(value) && value !== null;
}

describe("the published JSON schema", () => {
  test.each(["blue", "green"])("accepts the example's %s", (name) => {
    const file = join(root, `examples/environment-files/environments/${name}.yaml`);
    expect(accepts(schema, parse(readFileSync(file, "utf8")))).toBe(true);
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
    expect(accepts(schema, value)).toBe(false);
    expect(teamEnvironment.check(value)).not.toEqual([]);
  });

  test.each([
    { account: { name: "a", storageSecretKey: "plain" } },
    { dataStores: { a: { dbHost: "h", dbName: "n", dbPasswd: "plain" } } },
    { jobs: { a: { s3DistCp: { src: "s3://a", dest: "s3://b", encryptionKey: "plain" } } } },
  ])("refuses a secret in plain text: %j", (value) => {
    expect(accepts(schema, value)).toBe(false);
    const referred = JSON.parse(JSON.stringify(value).replace('"plain"', '{"$secret":"name"}')) as object;
    expect(accepts(schema, referred)).toBe(true);
  });

  test("the check of what other languages send never sees a secret", () => {
    const given = {
      account: { name: "a", storageSecretKey: 12345 },
      dataStores: { a: { dbHost: "h", dbPasswd: ["x"] } },
    };
    const visible = JSON.stringify(withoutSecrets(pathsOf(teamEnvironment.secrets), given));
    expect(visible).not.toMatch(/12345|"x"/);
    expect(visible).toContain('"dbHost":"h"');
  });

  test("describes every property, for editors", () => {
    for (const [name, { description }] of Object.entries(schema.properties as Record<string, { description?: string }>))
      expect(description, name).toBeTruthy();
  });
});
