import { secretsOf } from "../../provider/core/secrets";
import { type ComponentModel, refName, type Shape } from "./model";

type Json = Record<string, unknown>;

/**
 * The JSON Schema of an environment's file, for editors. `loadEnvironments` checks the same, and more, with better
 * messages. A secret is a reference to the configuration.
 */
export function environmentFileSchema({ definition, inputs, own, shared }: ComponentModel): string {
  const $defs = structuredClone(Object.fromEntries([...own, ...shared])) as Record<string, Json>;
  const properties = structuredClone(Object.fromEntries(inputs.map(({ name, shape }) => [name, shape]))) as Json;
  const root = { type: "object", properties };
  for (const path of secretsOf(definition)) referSecret(root, path.split("."), $defs);
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A team's environment",
    description: definition.doc.split("\n\n", 1)[0],
    type: "object",
    additionalProperties: false,
    properties: { $schema: { type: "string", description: "Where this schema is, for editors." }, ...properties },
    $defs: { ...$defs, Secret: secret },
  };
  return `${JSON.stringify(schema, (key, value) => (isOurs(key) || value === Number.MAX_SAFE_INTEGER ? undefined : value), 2)}\n`;
}

const secret = {
  type: "object",
  description: "A secret of the stack's configuration: `pulumi config set --secret <name>`.",
  properties: { $secret: { type: "string", minLength: 1, description: "Its name in the configuration." } },
  required: ["$secret"],
  additionalProperties: false,
};

/** Notes for our own generators, and formats that only they know. */
function isOurs(key: string): boolean {
  return ["plain", "secret", "wasRequired", "format", "form", "leftToPlatform"].includes(key);
}

/** Replaces the property at a path, which `*` leads through a map. */
function referSecret(root: Json, path: readonly string[], $defs: Record<string, Json>): void {
  let schema = root;
  for (const name of path) {
    const { $ref } = schema as Shape;
    const target = $ref === undefined ? schema : $defs[refName($ref)]!;
    const inner = name === "*" ? target["additionalProperties"] : (target["properties"] as Json)[name];
    if (typeof inner !== "object" || inner === null) throw new Error(`no property ${name} for a secret`);
    schema = inner as Json;
  }
  const { description } = schema;
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, { description, $ref: "#/$defs/Secret" });
}
