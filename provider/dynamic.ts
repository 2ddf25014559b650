import { Client } from "./api/client";
import { readSettings, type SettingName } from "./api/settings";
import type { CheckFailure } from "./core/check";
import type { CheckRequest } from "./core/checking";
import { Declarations } from "./core/declarations";
import type { AnyResource } from "./core/define";
import { diffInputs } from "./core/diff";
import { type Existing, type Host, PartialFailure } from "./core/guard";
import { Lifecycle } from "./core/lifecycle";
import { asSecret } from "./core/signatures";
import { type Properties, withoutNulls } from "./core/values";
import type { EngineLog } from "./engine/log";
import { definitionOf } from "./resources/load";

/**
 * The adapter for Pulumi's dynamic providers. The state of every resource holds the text
 * `exports.handler=()=>require("pulumi-dataplatform/dynamic").<Type>`, which the engine's Node process runs: so this
 * module's name and exports must never change between releases.
 */

const providerKey = "__provider";
/** What the classes in sdk/ say about a resource beside its inputs. It is used up at check and not kept. */
const declaredAsKey = "__declaredAs";
/** The inputs that the program has marked as secrets: Pulumi does not tell dynamic providers. Kept only where there are any. */
const secretsKey = "__secrets";

interface ConfigureRequest {
  readonly config: { get(key: string): string | undefined };
}

let config: ConfigureRequest["config"] | undefined;
let client: Client | undefined;
let engine: EngineLog | undefined;

/** One process serves all dynamic resources of a run, and they share one client: its pool, its reads, its batches. */
const host: Host = {
  client: () => {
    client ??= new Client(readSettings((name: SettingName) => config?.get(`dataplatform:${name}`)));
    return client;
  },
  log: {
    info: (message) => engineLog().info(message),
    warn: (message) => engineLog().warn(message),
  },
  declarations: new Declarations(),
};

function dynamicProvider(definition: AnyResource) {
  const lifeOf = (properties: Properties) => new Lifecycle(definition, host, markedIn(properties));
  const isUnchanged = (olds: Properties, news: Properties): boolean => {
    const { changed, redo } = diffInputs(definition, own(olds), own(news));
    return changed.length === 0 && !redo;
  };
  return {
    // Synchronous: the runtime hands out the provider before an asynchronous one has finished.
    configure(request: ConfigureRequest): void {
      config ??= request.config;
    },
    async check(olds: Properties | undefined, { [declaredAsKey]: declaredAs, ...news }: Properties) {
      const life = lifeOf(news);
      const old = olds && Object.keys(olds).length > 0 ? own(olds) : undefined;
      const { inputs, failures } = life.check(own(news), { old, ...declarantOf(declaredAs) });
      failures.push(...settingFailures());
      // The runtime calls no create at preview: a check without old inputs is what comes before one.
      if (failures.length === 0 && !old) await life.foresee(undefined, own(news));
      await engine?.drain();
      return { inputs: { ...inputs, ...beside(news) }, failures };
    },
    async diff(id: string, olds: Properties, news: Properties) {
      const life = lifeOf(news);
      const { changed, replaces, deleteBeforeReplace, redo } = life.diff(id, own(olds), own(news));
      if (changed.length > 0) await toRunError(() => life.foresee({ id, state: own(olds) }, own(news)), news);
      await engine?.drain();
      const changes = changed.length > 0 || redo || isFromPlugin(olds);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    },
    async create(inputs: Properties) {
      const made = await toRunError(() => lifeOf(inputs).create(own(inputs)), inputs);
      return { id: made.id, outs: outsOf(made, inputs) };
    },
    async read(id: string, props: Properties) {
      const life = lifeOf(props);
      const found = await toRunError(() => life.read(id, own(props)), props);
      // An empty id tells the engine that the resource is gone.
      if (!found) return { id: "", props: {} };
      const inputs = { ...life.inputsOf(found.state), ...beside(props) };
      return { id: found.id, props: outsOf(found, props), inputs };
    },
    async update(id: string, olds: Properties, news: Properties) {
      // Nothing for the platform to do: the update is there to put our text into the state.
      if (isFromPlugin(olds) && isUnchanged(olds, news)) return { outs: { ...olds, ...own(news) } };
      return { outs: outsOf(await toRunError(() => lifeOf(news).update(id, own(olds), own(news)), news), news) };
    },
    async delete(id: string, props: Properties): Promise<void> {
      await toRunError(() => lifeOf(props).delete(id, own(props)), props);
    },
  };
}

/** Who declares a resource, and for what: the engine tells a dynamic provider neither. */
function declarantOf(declaredAs: unknown): Pick<CheckRequest, "who" | "name" | "isPreview"> {
  const [, who, phase, name] = /^(\d+) (preview|update) (.*)$/s.exec(String(declaredAs)) ?? [];
  return who === undefined ? {} : { who, name, isPreview: phase === "preview" };
}

function markedIn({ [secretsKey]: marked }: Properties): string[] {
  return Array.isArray(marked) ? marked.filter((name) => typeof name === "string") : [];
}

/** The state, with what is made of a secret marked as one: the engine marks only what has the name of an input. */
function outsOf({ state, secretOutputs = [] }: Existing, properties: Properties): Properties {
  const marked = secretOutputs.map((name) => [name, asSecret(state[name])]);
  return { ...state, ...(Object.fromEntries(marked) as Properties), ...beside(properties) };
}

function beside({ [secretsKey]: marked }: Properties): Properties {
  return marked === undefined ? {} : { [secretsKey]: marked };
}

/** A setting that is missing or wrong would fail every operation: preview says so, not the first request. */
function settingFailures(): CheckFailure[] {
  try {
    host.client();
    return [];
  } catch (error) {
    return [{ property: "", reason: (error as Error).message }];
  }
}

/** Made by the plugin, whose resources lack the text without which a dynamic one could not be deleted. */
function isFromPlugin(state: Properties): boolean {
  return !(providerKey in state);
}

function own(properties: Properties): Properties {
  const { [providerKey]: _, [secretsKey]: __, [declaredAsKey]: ___, ...rest } = properties;
  return withoutNulls(rest);
}

/** Errors as the dynamic runtime wants them: without a stack, which it would print, and with what a partial success made. */
async function toRunError<T>(work: () => Promise<T>, properties: Properties): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    const plain = Object.assign(new Error(message), { stack: "", toString: () => message });
    if (!(error instanceof PartialFailure)) throw plain;
    throw Object.assign(plain, keptPart(error.existing, error.reason, properties));
  } finally {
    await engine?.drain();
  }
}

function keptPart(existing: Existing, reason: string, properties: Properties) {
  // Without __provider the engine could not run the next operation on the resource.
  const kept = { ...outsOf(existing, properties), [providerKey]: properties[providerKey] };
  return { id: existing.id, properties: kept, reasons: [reason] };
}

/** The engine's log, at the address that the runtime was started with: its own log has no line to the engine. */
function engineLog() {
  const address = process.argv.slice(2).find((argument) => /^[^\s-]\S*:\d+$/.test(argument));
  const { EngineLog: Log } = require("./engine/log") as typeof import("./engine/log");
  engine ??= new Log(address);
  return engine.about("");
}

/** By type, each made when it is first asked for. */
const providers = new Map<string, ReturnType<typeof dynamicProvider>>();

function providerOf(type: string) {
  const definition = definitionOf(type);
  if (definition && !providers.has(type)) providers.set(type, dynamicProvider(definition));
  return providers.get(type);
}

module.exports = new Proxy({}, { get: (_, type) => (typeof type === "string" ? providerOf(type) : undefined) });
