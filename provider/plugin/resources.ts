import { createHash } from "node:crypto";
import { type CheckFailure, printable } from "../core/check";
import { diffInputs, knownState } from "../core/diff";
import { emptyLists } from "../core/empty-lists";
import { type Existing, PartialFailure } from "../core/guard";
import { Lifecycle } from "../core/lifecycle";
import { type Properties, pick } from "../core/properties";
import { type PropertyPath, pathsOf, secretsOf } from "../core/secrets";
import { inCamelCase, pathInCamelCase } from "../core/spelling";
import { stateAfterCreate, stateAfterUpdate } from "../core/state";
import { urnParts } from "../core/urn";
import { changesAnswer, differenceAnswer } from "./diff";
import { partialSuccess } from "./errors";
import { fromStruct, toStruct } from "./marshal";
import type { Session } from "./session";
import { Empty, messages, requests } from "./stubs";
import { resourceOf } from "./tokens";

type Struct = Parameters<typeof fromStruct>[0];

/** The engine's calls about resources. */
export const resourceMethods = (session: Session) => ({
  Check: check(session),
  Diff: diff(session),
  Create: create(session),
  Read: read(session),
  Update: update(session),
  Delete: remove(session),
});

const check = (session: Session) =>
  session.method(messages.CheckRequest, async (request) => {
    const { life, values, secrets } = receive(session, request, request.getNews());
    const old = fromStruct(request.getOlds());
    const who = request.getUrn();
    // Here, because a resource that the program only reads (`get`) is never checked.
    const note = session.imported.get(who);
    if (note) session.log.about(who).warn(note);
    if (note) session.imported.set(who, "");
    const { inputs, failures } = life.check(values, {
      old: Object.keys(old).length > 0 ? old : undefined,
      who,
      name: urnParts(who).name,
      seed: seedOf(request),
    });
    return new messages.CheckResponse()
      .setInputs(toStruct(inputs, secrets))
      .setFailuresList(failures.map((one) => checkFailure(printable(life.definition, one))));
  });

const diff = (session: Session) =>
  session.method(messages.DiffRequest, async (request) => {
    const { life, values: inputs } = receive(session, request, request.getNews());
    const state = stateOf(life, request.getOldInputs(), request.getOlds());
    // As the engine says it, which no longer notices once the provider itself is replaced and the rest of the run has failed.
    if (await session.isMeantElsewhere(state)) return changesAnswer(["provider"], ["provider"], state, inputs);
    const difference = await life.plan(request.getId(), state, inputs);
    const answer = differenceAnswer(life.definition, difference, state, inputs, fromStruct(request.getOldInputs()));
    // Of an import, the engine keeps what was read. An update, which sends nothing, records what the program gave beside it:
    // or the first change of that would be taken for what was there. Engines before 3.171 refuse to import what differs.
    const isGiven = difference.unseen.some((name) => inputs[name] !== undefined);
    if (isGiven && session.imported.has(request.getUrn()) && session.isSince3206)
      answer.setChanges(messages.DiffResponse.DiffChanges.DIFF_SOME);
    return answer;
  });

const create = (session: Session) =>
  session.method(messages.CreateRequest, async (request) => {
    const received = receive(session, request, request.getProperties(), "create");
    const { life, values: inputs, secrets } = received;
    if (request.getPreview()) {
      await life.foresee(undefined, inputs);
      const foreseen = stateAfterCreate(life.definition, inputs);
      return new messages.CreateResponse().setProperties(toStruct(foreseen, secrets));
    }
    const { id, state } = await recorded(received, () => life.create(inputs));
    return new messages.CreateResponse().setId(id).setProperties(state);
  });

/** Refresh and import; an import has only the id. */
const read = (session: Session) =>
  session.method(requests.read, async (request) => {
    const received = receive(session, request, request.getInputs(), "read", request.getProperties());
    const { life, secrets } = received;
    const [state, dynamicMode] = splitDynamicMode(received.values);
    const isImport = Object.keys(state).length === 0;
    const found = await life.read(request.getId(), state);
    // A response without an id tells the engine that the resource is gone.
    if (!found) return new messages.ReadResponse();
    const { importId, type } = life.definition;
    if (isImport) session.imported.set(request.getUrn(), importId.note ? `${type}: ${importId.note}` : "");
    // A resource that came from dynamic mode keeps what that mode needs, or refresh would report it as changed.
    const properties = { ...found.state, ...dynamicMode };
    const kept = pick(fromStruct(request.getInputs()), emptyLists(life.definition, found.state));
    return new messages.ReadResponse()
      .setId(found.id)
      .setProperties(toStruct(properties, allSecrets(received, found)))
      .setInputs(toStruct({ ...life.inputsOf(found.state), ...kept }, secrets));
  });

const update = (session: Session) =>
  session.method(messages.UpdateRequest, async (request) => {
    const received = receive(session, request, request.getNews(), "update");
    const { life, values: inputs, secrets } = received;
    const old = stateOf(life, request.getOldInputs(), request.getOlds());
    if (session.imported.has(request.getUrn()) && diffInputs(life.definition, old, inputs).changed.length === 0) {
      const { __unseen: _, ...read } = old;
      const marked: PropertyPath[] = [];
      fromStruct(request.getOlds(), marked);
      return new messages.UpdateResponse().setProperties(toStruct({ ...read, ...inputs }, [...secrets, ...marked]));
    }
    if (request.getPreview()) {
      const foreseen = stateAfterUpdate(life.definition, old, inputs);
      return new messages.UpdateResponse().setProperties(toStruct(foreseen, secrets));
    }
    const { state } = await recorded(received, () => life.update(request.getId(), old, inputs));
    return new messages.UpdateResponse().setProperties(state);
  });

const remove = (session: Session) =>
  session.method(messages.DeleteRequest, async (request) => {
    const { life, values } = receive(session, request, request.getOldInputs?.(), "delete", request.getProperties());
    await life.delete(request.getId(), splitDynamicMode(values)[0]);
    return new Empty();
  });

/** What the engine sent about a resource, and what is secret in it. `outputs`: of one that exists. */
function receive(
  session: Session,
  request: { getUrn(): string; getTimeout?(): number },
  inputs: Struct,
  verb?: "create" | "update" | "delete" | "read",
  outputs?: Struct,
): Received {
  const urn = request.getUrn();
  const definition = resourceOf(urnParts(urn).type);
  const wire: PropertyPath[] = [];
  const given = fromStruct(inputs, wire);
  const values = outputs ? knownState(definition, given, fromStruct(outputs, wire)) : given;
  const marked = wire.map((path) => pathInCamelCase(definition.inputs, path));
  const limit = { seconds: request.getTimeout?.() ?? 0, option: `customTimeouts.${verb}` };
  return {
    life: new Lifecycle(definition, session.host(urn, limit), marked),
    values: inCamelCase(definition.inputs, values),
    secrets: [...pathsOf(secretsOf(definition)), ...marked],
  };
}

interface Received {
  readonly life: Lifecycle;
  readonly values: Properties;
  /** The definition's secrets, and those that the program marked. */
  readonly secrets: readonly PropertyPath[];
}

function stateOf({ definition }: Lifecycle, inputs: Struct, outputs: Struct): Properties {
  return splitDynamicMode(knownState(definition, fromStruct(inputs), fromStruct(outputs)))[0];
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
function seedOf(request: InstanceType<typeof messages.CheckRequest>): string | undefined {
  const bytes = request.getRandomseed_asU8?.();
  return bytes && bytes.length > 0 ? createHash("sha256").update(bytes).digest("hex") : undefined;
}

/** What the engine records of a create or an update, a partial success included. */
async function recorded(received: Received, work: () => Promise<Existing>) {
  try {
    const existing = await work();
    return { id: existing.id, state: toStruct(existing.state, allSecrets(received, existing)) };
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    const inputs = received.life.inputsOf(error.existing.state);
    throw partialSuccess(error, inputs, allSecrets(received, error.existing));
  }
}

function allSecrets({ secrets }: Received, { secretOutputs = [] }: Existing): PropertyPath[] {
  return [...secrets, ...pathsOf(secretOutputs)];
}

export function checkFailure({ property, reason }: CheckFailure) {
  return new messages.CheckFailure().setProperty(property).setReason(reason);
}
