import { ownType, urnParts } from "../provider/core/urn";
import { plain } from "./plain";
import { isWithin, type Resource } from "./resource";
import { analyzer, protobuf, type WireResource } from "./stubs";
import type { Properties } from "./values";

/** One of our resources in a request of the engine. Its properties are read when a rule asks for them. */
class RequestedResource implements Resource {
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
