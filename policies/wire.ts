import { signatureKey, signatures } from "../provider/core/engine-values";
import { ownType, urnParts } from "../provider/core/urn";
import { isWithin, type Resource } from "./resource";
import { analyzer, protobuf, type WireResource } from "./stubs";
import { type Properties, unknownYet } from "./values";

/** The engine has one for each type of value. */
const unknowns: ReadonlySet<unknown> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** One of our resources in a request of the engine. Its properties are read when a rule asks for them. */
export class RequestedResource implements Resource {
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  readonly project: string;
  readonly stack: string;
  readonly #wire: WireResource;
  readonly #secrets = new Set<string>();
  #properties: Properties | undefined;

  constructor(type: string, wire: WireResource) {
    this.type = type;
    this.#wire = wire;
    this.urn = wire.getUrn();
    ({ name: this.name, project: this.project, stack: this.stack } = urnParts(this.urn));
  }

  get properties(): Properties {
    this.#properties ??= plain(this.#wire.getProperties()?.toJavaScript() ?? {}, "", this.#secrets) as Properties;
    return this.#properties;
  }

  get isProtected(): boolean {
    return this.#wire.getOptions()?.getProtect() ?? false;
  }

  get provider(): string | undefined {
    return this.#wire.getProvider()?.getUrn() || undefined;
  }

  dependenciesOf(property: string): readonly string[] {
    return this.#wire.getPropertydependenciesMap?.().get(property)?.getUrnsList() ?? [];
  }

  isSecret(path: string): boolean {
    // Reading the properties finds the secrets among them.
    return this.properties !== undefined && isWithin(this.#secrets, path);
  }
}

/** Secrets unwrapped and their paths noted, nulls left out, all unknown values the same. */
function plain(value: unknown, path: string, secrets: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return unknowns.has(value) ? unknownYet : value;
  if (Array.isArray(value)) return value.map((item, index) => plain(item, `${path}[${index}]`, secrets));
  const object = value as Properties;
  if (signatureKey in object) return special(object, path, secrets);
  const entries: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(object))
    if (inner !== null) entries.push([key, plain(inner, path === "" ? key : `${path}.${key}`, secrets)]);
  return Object.fromEntries(entries);
}

function special(object: Properties, path: string, secrets: Set<string>): unknown {
  const kind = object[signatureKey];
  if (kind === signatures.secret || (kind === signatures.output && object["secret"] === true)) secrets.add(path);
  if (kind === signatures.secret) return plain(object["value"], path, secrets);
  if (kind === signatures.output) return "value" in object ? plain(object["value"], path, secrets) : unknownYet;
  if (kind === signatures.resource) return plain(object["id"] ?? object["urn"], path, secrets);
  // Assets and archives are none of our properties' types: not for a rule to judge.
  return unknownYet;
}

/** Field numbers of the engine's messages. */
const typeField = 1;
const resourcesField = 1;

/** The resource of a request, unless none of our rules is about its type: then nothing else of it is read. */
export function resourceIn(bytes: Uint8Array, isJudged: (type: string) => boolean): Resource | undefined {
  const type = typeIn(bytes);
  return type !== undefined && isJudged(type)
    ? new RequestedResource(type, analyzer.AnalyzeRequest.deserializeBinary(bytes))
    : undefined;
}

/** Those resources of a stack that rules are about. */
export function resourcesIn(bytes: Uint8Array, isJudged: (type: string) => boolean): Resource[] {
  const reader = new protobuf.BinaryReader(bytes);
  const found: Resource[] = [];
  while (reader.nextField()) {
    if (reader.getFieldNumber() !== resourcesField) {
      reader.skipField();
      continue;
    }
    const one = reader.readBytes() as Uint8Array;
    const type = typeIn(one);
    if (type !== undefined && isJudged(type))
      found.push(new RequestedResource(type, analyzer.AnalyzerResource.deserializeBinary(one)));
  }
  return found;
}

/** The type of a resource that is ours. */
function typeIn(bytes: Uint8Array): string | undefined {
  const reader = new protobuf.BinaryReader(bytes);
  while (reader.nextField()) {
    if (reader.getFieldNumber() === typeField) return ownType(reader.readString());
    reader.skipField();
  }
  return undefined;
}
