import { createHash } from "node:crypto";
import { PlatformError } from "../api/errors";
import { type CheckFailure, printable } from "../core/check";
import type { AnyResource } from "../core/define";
import { type Existing, PartialFailure } from "../core/guard";
import { Lifecycle } from "../core/lifecycle";
import type { Properties } from "../core/properties";
import { type PropertyPath, pathsOf } from "../core/secrets";
import { inCamelCase, pathInCamelCase } from "../core/spelling";
import { stateAfterCreate, stateAfterUpdate } from "../core/state";
import { urnParts } from "../core/urn";
import { definitionOf } from "../resources/load";
import { differenceAnswer } from "./diff";
import { PartialSuccessOnWire } from "./errors";
import { fromStruct, toStruct } from "./marshal";
import type { Session } from "./session";
import { Empty, messages } from "./stubs";

type Pb = typeof messages;
type Message<K extends keyof Pb> = Pb[K] extends new () => infer M ? M : never;
export const tokenPrefix = "dataplatform:index:";

/** The engine's calls about resources. */
export class ResourceCalls {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async check(request: Message<"CheckRequest">): Promise<Message<"CheckResponse">> {
    const given = this.#received(request.getUrn(), [request.getNews()]);
    const old = fromStruct(request.getOlds());
    const urn = request.getUrn();
    const checked = given.life.check(given.values, {
      old: Object.keys(old).length > 0 ? old : undefined,
      who: urn,
      name: urnParts(urn).name,
      seed: seedOf(request),
    });
    const answer = new messages.CheckResponse();
    answer.setInputs(toStruct(checked.inputs, given.secrets));
    answer.setFailuresList(checked.failures.map(printable).map(checkFailure));
    return answer;
  }

  async diff(request: Message<"DiffRequest">): Promise<Message<"DiffResponse">> {
    const { life, values: inputs } = this.#received(request.getUrn(), [request.getNews()]);
    const state = stateOf(request.getOlds(), request.getOldInputs());
    const difference = await life.plan(request.getId(), state, inputs);
    return differenceAnswer(life.definition, difference, state, inputs);
  }

  async create(request: Message<"CreateRequest">): Promise<Message<"CreateResponse">> {
    const limit = { verb: "create", seconds: request.getTimeout() } as const;
    const { life, values: inputs, secrets } = this.#received(request.getUrn(), [request.getProperties()], limit);
    const answer = new messages.CreateResponse();
    if (request.getPreview()) {
      await life.foresee(undefined, inputs);
      answer.setProperties(toStruct(stateAfterCreate(life.definition, inputs), secrets));
      return answer;
    }
    const created = await withPartialSuccess(life, secrets, () => life.create(inputs));
    answer.setId(created.id);
    answer.setProperties(toStruct(created.state, [...secrets, ...pathsOf(created.secretOutputs ?? [])]));
    return answer;
  }

  /** Refresh and import; an import has only the id. */
  async read(request: Message<"ReadRequest">): Promise<Message<"ReadResponse">> {
    const limit = { verb: "read", seconds: request.getTimeout?.() } as const;
    const received = this.#received(request.getUrn(), [request.getProperties(), request.getInputs()], limit);
    const { life, secrets } = received;
    const [state, dynamicMode] = splitDynamicMode(received.values);
    const found = await life.read(request.getId(), state);
    const answer = new messages.ReadResponse();
    // A response without an id tells the engine that the resource is gone.
    if (!found) return answer;
    const { importId, type } = life.definition;
    if (Object.keys(state).length === 0 && importId.note)
      this.#session.log.about(request.getUrn()).warn(`${type}: ${importId.note}`);
    // A resource that came from dynamic mode keeps what that mode needs, or refresh would report it as changed.
    const properties = { ...found.state, ...dynamicMode };
    answer.setId(found.id);
    answer.setProperties(toStruct(properties, [...secrets, ...pathsOf(found.secretOutputs ?? [])]));
    answer.setInputs(toStruct(life.inputsOf(found.state), secrets));
    return answer;
  }

  async update(request: Message<"UpdateRequest">): Promise<Message<"UpdateResponse">> {
    const limit = { verb: "update", seconds: request.getTimeout() } as const;
    const { life, values: inputs, secrets } = this.#received(request.getUrn(), [request.getNews()], limit);
    const state = stateOf(request.getOlds(), request.getOldInputs());
    const answer = new messages.UpdateResponse();
    if (request.getPreview()) {
      answer.setProperties(toStruct(stateAfterUpdate(life.definition, state, inputs), secrets));
      return answer;
    }
    const changed = await withPartialSuccess(life, secrets, () => life.update(request.getId(), state, inputs));
    answer.setProperties(toStruct(changed.state, [...secrets, ...pathsOf(changed.secretOutputs ?? [])]));
    return answer;
  }

  async delete(request: Message<"DeleteRequest">): Promise<InstanceType<typeof Empty>> {
    const limit = { verb: "delete", seconds: request.getTimeout() } as const;
    const structs = [request.getProperties(), request.getOldInputs?.()];
    const { life, values } = this.#received(request.getUrn(), structs, limit);
    await life.delete(request.getId(), splitDynamicMode(values)[0]);
    return new Empty();
  }

  /** What the engine sent about a resource, later parts over earlier ones, and what is secret in it. */
  #received(urn: string, structs: readonly Parameters<typeof fromStruct>[0][], limit?: Limit): Received {
    const definition = definitionFor(urn);
    const wire: PropertyPath[] = [];
    const given = Object.assign({}, ...structs.map((struct) => fromStruct(struct, wire))) as Properties;
    const values = inCamelCase(definition.inputs, given);
    const marked = wire.map((path) => pathInCamelCase(definition.inputs, path));
    const option = `customTimeouts.${limit?.verb}`;
    const host = this.#session.host(urn, { seconds: limit?.seconds ?? 0, option });
    const secrets = [...pathsOf(definition.secrets), ...marked];
    return { life: new Lifecycle(definition, host, marked), values, secrets };
  }
}

interface Limit {
  readonly verb: "create" | "update" | "delete" | "read";
  readonly seconds: number | undefined;
}

interface Received {
  readonly life: Lifecycle;
  readonly values: Properties;
  /** The definition's secrets, and those that the program marked. */
  readonly secrets: readonly PropertyPath[];
}

/** What is known about a resource: its outputs, and its inputs as the last program gave them. */
function stateOf(...structs: readonly Parameters<typeof fromStruct>[0][]): Properties {
  return splitDynamicMode(Object.assign({}, ...structs.map((one) => fromStruct(one))) as Properties)[0];
}

/** The properties of a resource, and what dynamic mode keeps beside them if the resource was created there. */
function splitDynamicMode({
  __provider,
  __secrets,
  ...state
}: Properties): [state: Properties, dynamicMode: Properties] {
  return [state, { ...(__provider !== undefined && { __provider }), ...(__secrets !== undefined && { __secrets }) }];
}

/** The engine's random bytes. A saved plan keeps them, so that what is derived from them is the same at the update. */
function seedOf(request: Message<"CheckRequest">): string | undefined {
  const bytes = request.getRandomseed_asU8?.();
  return bytes && bytes.length > 0 ? createHash("sha256").update(bytes).digest("hex") : undefined;
}

function definitionFor(urn: string): AnyResource {
  const { type } = urnParts(urn);
  const found = type.startsWith(tokenPrefix) ? definitionOf(type.slice(tokenPrefix.length)) : undefined;
  if (found) return found;
  const { resources } = require("../resources") as typeof import("../resources");
  const known = resources.map((definition) => definition.type).join(", ");
  throw new PlatformError(`unknown resource type ${JSON.stringify(type)}; this version has ${known}`, {
    code: "rejected",
  });
}

async function withPartialSuccess(
  life: Lifecycle,
  secrets: readonly PropertyPath[],
  work: () => Promise<Existing>,
): Promise<Existing> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const { state, secretOutputs = [] } = error.existing;
    throw new PartialSuccessOnWire(error, life.inputsOf(state), [...secrets, ...pathsOf(secretOutputs)]);
  }
}

export function checkFailure({ property, reason }: CheckFailure) {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}
