import { createHash } from "node:crypto";
import { ownType, urnParts } from "../../provider/core/urn";
import { shortName } from "../pulumi/subject";
import { pulumiOutput, quiet } from "./run";

/** What of a stack's state a plan depends on, as digests. */
export interface StateDigest {
  readonly digest: string;
  /** A digest for each URN. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface StateResource {
  readonly urn: string;
  readonly type?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What `pulumi stack export` prints. */
export interface Exported {
  readonly deployment?: {
    readonly resources?: readonly StateResource[] | null;
    readonly pending_operations?: readonly { readonly resource?: StateResource; readonly type?: string }[] | null;
    readonly secrets_providers?: { readonly type?: string; readonly state?: unknown } | null;
    readonly [field: string]: unknown;
  } | null;
}

export async function exportState(stack: string): Promise<Exported> {
  return JSON.parse(await pulumiOutput(["stack", "export", ...quiet(stack)], "state")) as Exported;
}

/** Fields that say where the program declares a resource, which a refresh leaves out. */
const irrelevant = new Set(["sourcePosition", "stackTrace", "propertyDependencies"]);

/**
 * Encrypted values count as they are written: one that somebody edited by hand moves the digest. So does every run, also
 * without changes, if the state has secrets: the engine encrypts all of them anew.
 */
export function digestState({ deployment }: Exported): StateDigest {
  const { resources, pending_operations: pending, secrets_providers: encryption } = deployment ?? {};
  const texts = (resources ?? []).map((resource): [string, string] => [resource.urn, canonical(relevant(resource))]);
  if (pending && pending.length > 0) texts.push(["pending operations", canonical(pending)]);
  if (encryption) texts.push(["encryption", canonical(encryption)]);
  const parts: Record<string, string> = {};
  // A replaced resource that is still to be deleted has the URN of its replacement.
  for (const [name, text] of texts.sort(([, a], [, b]) => (a < b ? -1 : 1)))
    parts[name] = sha256((parts[name] ?? "") + text);
  return { digest: sha256(canonical(parts)), parts };
}

/** What differs, in words. */
export function movedParts(before: StateDigest, now: StateDigest): string[] {
  return Object.keys({ ...before.parts, ...now.parts })
    .filter((name) => before.parts[name] !== now.parts[name])
    .sort()
    .map(
      (name) => `${shortName(name)} ${!before.parts[name] ? "is new" : !now.parts[name] ? "is gone" : "has changed"}`,
    );
}

export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function relevant(resource: StateResource): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !irrelevant.has(name)));
}

/** JSON with sorted keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * What a state, or a plan, would make the engine run. A dynamic provider is text in the state that is executed at read
 * and delete, and a provider can name a server to download its plugin from. Only the text of this package may be there.
 */
export function foreignCode({ deployment }: Exported): string[] {
  const pending = (deployment?.pending_operations ?? []).flatMap(({ resource }) => resource ?? []);
  return [...new Set([...(deployment?.resources ?? []), ...pending].flatMap(codeOf))];
}

/** What a run was creating when it was killed: it may exist, and the next run would create it a second time. */
export function interruptedIn(stack: string, { deployment }: Exported): string[] {
  return (deployment?.pending_operations ?? []).flatMap(({ type, resource }) =>
    type === "creating" && resource && ownType(resource.type ?? "")
      ? [
          `interrupted: ${shortName(resource.urn)} was being created when a run ended, and may exist: "dataplatform doctor --stack ${stack}" looks for it, and prints the steps`,
        ]
      : [],
  );
}

function codeOf(resource: StateResource): string[] {
  return (["inputs", "outputs"] as const)
    .flatMap((part) => foreignIn(resource.urn, resource.type, resource[part]))
    .map((what) => `${what}; ${wayOut}`);
}

/** Neither `refresh` nor `up`: they would run it. */
const wayOut =
  "find out who wrote it, and take it out, which runs nothing: pulumi stack export --file state.json, remove this property, pulumi stack import --file state.json";

/** `properties`: all, or those that a plan sets. */
export function foreignIn(
  urn: string,
  type: string = urnParts(urn).type,
  properties: Readonly<Record<string, unknown>> = {},
): string[] {
  const name = shortName(urn);
  const isProvider = [type, urnParts(urn).type].some((one) => one.startsWith("pulumi:providers:"));
  if (isProvider && /pluginDownloadURL/i.test(JSON.stringify(properties)))
    return [`foreign code: ${name} names a server to download its plugin from`];
  const text = properties["__provider"];
  if (text === undefined || text === null) return [];
  // Also of the plugin's type: the outputs keep it after a change of the mode, and nothing executes it there.
  const own = ownType(type);
  if (own !== undefined && text === `exports.handler=()=>require("pulumi-dataplatform/dynamic").${own}`) return [];
  return [
    typeof text === "string"
      ? `foreign code: __provider of ${name} is not the text of pulumi-dataplatform, and would be executed`
      : `foreign code: __provider of ${name} is encrypted, so what would be executed cannot be read`,
  ];
}
