import { PlatformError } from "../api/errors";
import type { AnyResource } from "../core/define";
import { type Existing, PartialFailure } from "../core/guard";
import { Lifecycle } from "../core/lifecycle";
import { stateAfterCreate, stateAfterUpdate } from "../core/preview";
import type { Properties } from "../core/values";
import { definitionOf } from "../resources/load";
import { differenceAnswer } from "./diff";
import { HalfMade } from "./errors";
import { fromStruct, toStruct } from "./marshal";
import type { Session } from "./session";
import { Empty, messages } from "./stubs";

type Pb = typeof messages;
type Message<K extends keyof Pb> = Pb[K] extends new () => infer M ? M : never;
const tokenPrefix = "dataplatform:index:";
type Verb = "create" | "update" | "delete" | "read";

/** The engine's calls about resources, in the engine's own messages. */
export class ResourceCalls {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  async check(request: Message<"CheckRequest">): Promise<Message<"CheckResponse">> {
    const life = this.#life(request.getUrn());
    const inputs = fromStruct(request.getNews());
    const answer = new messages.CheckResponse();
    answer.setInputs(toStruct(inputs, life.definition.secrets));
    answer.setFailuresList(life.check(inputs).map(checkFailure));
    return answer;
  }

  async diff(request: Message<"DiffRequest">): Promise<Message<"DiffResponse">> {
    const life = this.#life(request.getUrn());
    const state = stateOf(request.getOlds(), request.getOldInputs());
    const inputs = fromStruct(request.getNews());
    const difference = life.diff(request.getId(), state, inputs);
    if (difference.changed.length > 0) await life.foresee({ id: request.getId(), state }, inputs);
    return differenceAnswer(life.definition, difference, state, inputs);
  }

  async create(request: Message<"CreateRequest">): Promise<Message<"CreateResponse">> {
    const life = this.#life(request.getUrn(), "create", request.getTimeout());
    const { secrets } = life.definition;
    const inputs = fromStruct(request.getProperties());
    const answer = new messages.CreateResponse();
    if (request.getPreview()) {
      await life.foresee(undefined, inputs);
      answer.setProperties(toStruct(stateAfterCreate(life.definition, inputs), secrets));
      return answer;
    }
    const { id, state } = await keepingPart(life, () => life.create(inputs));
    answer.setId(id);
    answer.setProperties(toStruct(state, secrets));
    return answer;
  }

  /** Refresh, and import: then there is nothing but the id. */
  async read(request: Message<"ReadRequest">): Promise<Message<"ReadResponse">> {
    const life = this.#life(request.getUrn(), "read", request.getTimeout?.());
    const { secrets, importId } = life.definition;
    const { __provider, ...outputs } = fromStruct(request.getProperties());
    const state = { ...outputs, ...stateOf(request.getInputs()) };
    const found = await life.read(request.getId(), state);
    const answer = new messages.ReadResponse();
    // An answer without an id tells the engine that the resource is gone.
    if (!found) return answer;
    if (Object.keys(state).length === 0 && importId.note)
      this.#session.log.about(request.getUrn()).warn(`${life.definition.type}: ${importId.note}`);
    // A resource that moved over from dynamic mode keeps the text of that mode, or refresh would show its loss.
    answer.setId(found.id);
    answer.setProperties(toStruct({ ...found.state, ...(__provider ? { __provider } : {}) }, secrets));
    answer.setInputs(toStruct(life.inputsOf(found.state), secrets));
    return answer;
  }

  async update(request: Message<"UpdateRequest">): Promise<Message<"UpdateResponse">> {
    const life = this.#life(request.getUrn(), "update", request.getTimeout());
    const { secrets } = life.definition;
    const state = stateOf(request.getOlds(), request.getOldInputs());
    const inputs = fromStruct(request.getNews());
    const answer = new messages.UpdateResponse();
    if (request.getPreview()) {
      answer.setProperties(toStruct(stateAfterUpdate(life.definition, state, inputs), secrets));
      return answer;
    }
    const changed = await keepingPart(life, () => life.update(request.getId(), state, inputs));
    answer.setProperties(toStruct(changed.state, secrets));
    return answer;
  }

  async delete(request: Message<"DeleteRequest">): Promise<InstanceType<typeof Empty>> {
    const life = this.#life(request.getUrn(), "delete", request.getTimeout());
    await life.delete(request.getId(), stateOf(request.getProperties(), request.getOldInputs?.()));
    return new Empty();
  }

  #life(urn: string, verb?: Verb, seconds = 0): Lifecycle {
    return new Lifecycle(definitionFor(urn), this.#session.host(urn, { seconds, option: `customTimeouts.${verb}` }));
  }
}

/** What is known of a resource: its outputs, and its inputs as the last program gave them. */
function stateOf(...structs: readonly Parameters<typeof fromStruct>[0][]): Properties {
  // A resource that was made in dynamic mode brings the text that runs it there.
  const { __provider: _, ...state } = Object.assign({}, ...structs.map(fromStruct)) as Properties;
  return state;
}

function definitionFor(urn: string): AnyResource {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  const found = type.startsWith(tokenPrefix) ? definitionOf(type.slice(tokenPrefix.length)) : undefined;
  if (found) return found;
  const { resources } = require("../resources") as typeof import("../resources");
  const known = resources.map((definition) => definition.type).join(", ");
  throw new PlatformError(`there is no resource ${JSON.stringify(type)}; this version has ${known}`, {
    code: "rejected",
  });
}

async function keepingPart(life: Lifecycle, work: () => Promise<Existing>): Promise<Existing> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    throw new HalfMade(error, life.inputsOf(error.existing.state), life.definition.secrets);
  }
}

export function checkFailure({ property, reason }: { readonly property: string; readonly reason: string }) {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}
