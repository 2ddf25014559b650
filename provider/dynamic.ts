import { Client } from "./api/client";
import { readSettings, type SettingName } from "./api/settings";
import { type CheckFailure, type CheckRequest, printable } from "./core/check";
import { Declarations } from "./core/declarations";
import type { AnyResource } from "./core/define";
import { diffInputs } from "./core/diff";
import { emptyLists } from "./core/empty-lists";
import { asSecret } from "./core/engine-values";
import { type Existing, type Host, PartialFailure } from "./core/guard";
import { Lifecycle } from "./core/lifecycle";
import { type Properties, withoutNulls } from "./core/properties";
import type { PropertyPath } from "./core/secrets";
import { exitWithEngine } from "./engine/engine-watch";
import type { EngineLog } from "./engine/log";
import { Neighbours } from "./engine/neighbours";
import { definitionOf } from "./resources/load";

/**
 * The adapter for Pulumi's dynamic providers. The state of every resource holds the text
 * `exports.handler=()=>require("pulumi-dataplatform/dynamic").<Type>`, which the engine's Node process runs: so this
 * module's name and exports must never change between releases.
 */

const providerKey = "__provider";
/** What the classes in sdk/ add to the inputs of a resource. Removed at check, and never kept in the state. */
const declaredAsKey = "__declaredAs";
/** The inputs that the program marked as secrets, which Pulumi does not tell dynamic providers. Kept only if there are any. */
const secretsKey = "__secrets";

interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] | undefined;
let client: Client | undefined;
let engine: EngineLog | undefined;
const declarations = new Declarations();
/** The runtime is started with it. */
const engineAddress = process.argv.slice(2).find((argument) => /^[^\s-]\S*:\d+$/.test(argument));

/** One process serves all dynamic resources of a run, and they share one client with its pool, reads and batches. */
const host: Host = {
  client: () => {
    if (client) return client;
    client = new Client(readSettings((name: SettingName) => config?.get(`dataplatform:${name}`)));
    if (engineAddress !== undefined) {
      declarations.others = new Neighbours(engineAddress, client.settings, declarations.workedIn);
      // Whoever kills the engine does not expect that a wait goes on, and that what follows it is sent.
      exitWithEngine(engineAddress);
    }
    return client;
  },
  log: {
    info: (message) => engineLog().info(message),
    warn: (message) => engineLog().warn(message),
  },
  declarations,
  settingsMayBeOld: true,
  extendedApi: () => settingFailures().length === 0 && host.client().settings.extendedApi,
};

function dynamicProvider(definition: AnyResource) {
  const lifecycleOf = (properties: Properties) => new Lifecycle(definition, host, markedSecrets(properties));
  const isUnchanged = (olds: Properties, news: Properties): boolean => {
    const { changed, redo } = diffInputs(definition, ownProperties(olds), ownProperties(news));
    return changed.length === 0 && !redo;
  };
  return {
    // Synchronous: the runtime does not wait for an asynchronous one.
    configure(request: ConfigureRequest): void {
      config ??= request.config;
    },
    async check(olds: Properties | undefined, { [declaredAsKey]: declaredAs, ...news }: Properties) {
      const lifecycle = lifecycleOf(news);
      const old = olds && Object.keys(olds).length > 0 ? ownProperties(olds) : undefined;
      const declarant = declarantOf(declaredAs);
      const { inputs, failures } = lifecycle.check(ownProperties(news), { old, ...declarant });
      failures.push(...settingFailures());
      // At preview the runtime does not call create: a check without old inputs is what precedes one.
      if (failures.length === 0 && !old && declarant.isPreview)
        failures.push(...(await previewFailures(lifecycle, ownProperties(news))));
      await engine?.drain();
      return {
        inputs: { ...inputs, ...secretNames(news) },
        failures: failures.map((one) => printable(definition, one)),
      };
    },
    async diff(id: string, olds: Properties, news: Properties) {
      const lifecycle = lifecycleOf(news);
      const { changed, replaces, deleteBeforeReplace, redo } = await toRunError(
        () => lifecycle.plan(id, ownProperties(olds), ownProperties(news)),
        news,
      );
      const changes = changed.length > 0 || redo || isFromPlugin(olds);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    },
    async create(inputs: Properties) {
      const created = await toRunError(() => lifecycleOf(inputs).create(ownProperties(inputs)), inputs);
      return { id: created.id, outs: outputsOf(created, inputs) };
    },
    async read(id: string, props: Properties) {
      const lifecycle = lifecycleOf(props);
      const found = await toRunError(() => lifecycle.read(id, ownProperties(props)), props);
      // An empty id tells the engine that the resource is gone.
      if (!found) return { id: "", props: {} };
      const inputs = { ...lifecycle.inputsOf(found.state), ...secretNames(props) };
      // The engine then keeps the old inputs, which it does not tell.
      const isRefused = emptyLists(definition, inputs).length > 0;
      return { id: found.id, props: outputsOf(found, props), ...(!isRefused && { inputs }) };
    },
    async update(id: string, olds: Properties, news: Properties) {
      // Nothing to send: the update only puts our text into the state.
      if (isFromPlugin(olds) && isUnchanged(olds, news)) return { outs: { ...olds, ...ownProperties(news) } };
      const lifecycle = lifecycleOf(news);
      const updated = await toRunError(() => lifecycle.update(id, ownProperties(olds), ownProperties(news)), news);
      return { outs: outputsOf(updated, news) };
    },
    async delete(id: string, props: Properties): Promise<void> {
      await toRunError(() => lifecycleOf(props).delete(id, ownProperties(props)), props);
    },
  };
}

async function previewFailures(lifecycle: Lifecycle, inputs: Properties): Promise<CheckFailure[]> {
  try {
    await lifecycle.foresee(undefined, inputs);
    return [];
  } catch (error) {
    return [{ property: "", reason: (error as Error).message }];
  }
}

/** Which resource this is, and whether it is a preview: the engine tells a dynamic provider neither. */
function declarantOf(declaredAs: unknown): Pick<CheckRequest, "who" | "name" | "isPreview"> {
  const [, who, phase, name] = /^(\d+) (preview|update) (.*)$/s.exec(String(declaredAs)) ?? [];
  return who === undefined ? {} : { who, name, isPreview: phase === "preview" };
}

function markedSecrets({ [secretsKey]: marked }: Properties): PropertyPath[] {
  return Array.isArray(marked) ? marked.filter((name) => typeof name === "string").map((name) => [name]) : [];
}

/** The state, with outputs derived from secrets marked: the engine marks only those with the name of an input. */
function outputsOf({ state, secretOutputs = [] }: Existing, properties: Properties): Properties {
  const marked = secretOutputs.map((name) => [name, asSecret(state[name])]);
  return { ...state, ...(Object.fromEntries(marked) as Properties), ...secretNames(properties) };
}

function secretNames({ [secretsKey]: marked }: Properties): Properties {
  return marked === undefined ? {} : { [secretsKey]: marked };
}

/** A missing or wrong setting would fail every operation, so preview reports it rather than the first request. */
function settingFailures(): CheckFailure[] {
  try {
    host.client();
    return [];
  } catch (error) {
    return [{ property: "", reason: (error as Error).message }];
  }
}

/** Whether the plugin created it: its resources lack the text without which a dynamic one cannot be deleted. */
function isFromPlugin(state: Properties): boolean {
  return !(providerKey in state);
}

function ownProperties(properties: Properties): Properties {
  const { [providerKey]: _, [secretsKey]: __, [declaredAsKey]: ___, ...rest } = properties;
  return withoutNulls(rest);
}

/** Errors as the dynamic runtime expects them: without a stack, which it would print, and with what a partial success created. */
async function toRunError<T>(work: () => Promise<T>, properties: Properties): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    const plain = Object.assign(new Error(message), { stack: "", toString: () => message });
    if (!(error instanceof PartialFailure)) throw plain;
    throw Object.assign(plain, partialState(error.existing, error.reason, properties));
  } finally {
    await engine?.drain();
  }
}

function partialState(existing: Existing, reason: string, properties: Properties) {
  // Without __provider the engine could not run the next operation on the resource.
  const kept = { ...outputsOf(existing, properties), [providerKey]: properties[providerKey] };
  return { id: existing.id, properties: kept, reasons: [reason] };
}

/** The runtime's own log does not reach the engine. */
function engineLog() {
  const { EngineLog: Log } = require("./engine/log") as typeof import("./engine/log");
  engine ??= new Log(engineAddress);
  return engine.about("");
}

/** By type, each created on first use. */
const providers = new Map<string, ReturnType<typeof dynamicProvider>>();

function providerOf(type: string) {
  const definition = definitionOf(type);
  if (definition && !providers.has(type)) providers.set(type, dynamicProvider(definition));
  return providers.get(type);
}

module.exports = new Proxy({}, { get: (_, type) => (typeof type === "string" ? providerOf(type) : undefined) });
