import { Client } from "./api/client";
import { readSettings, type SettingName } from "./api/settings";
import type { AnyResource } from "./core/define";
import { diffInputs } from "./core/diff";
import { type Existing, type Host, PartialFailure } from "./core/guard";
import { Lifecycle } from "./core/lifecycle";
import type { Properties } from "./core/values";
import type { EngineLog } from "./plugin/log";
import { definitionOf } from "./resources/load";

/**
 * The adapter for Pulumi's dynamic providers. The state of every resource holds the text
 * `exports.handler=()=>require("pulumi-dataplatform/dynamic").<Type>`, which the engine's Node process runs: so this
 * module's name and exports must never change between releases.
 */

const providerKey = "__provider";

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
};

function dynamicProvider(definition: AnyResource) {
  const life = new Lifecycle(definition, host);
  return {
    // Synchronous: the runtime hands out the provider before an asynchronous one has finished.
    configure(request: ConfigureRequest): void {
      config ??= request.config;
    },
    async check(olds: Properties | undefined, news: Properties) {
      const failures = life.check(own(news));
      // The runtime calls no create at preview: a check without old inputs is what comes before one.
      if (failures.length === 0 && Object.keys(olds ?? {}).length === 0) await life.foresee(undefined, own(news));
      await engine?.drain();
      return { inputs: news, failures };
    },
    async diff(id: string, olds: Properties, news: Properties) {
      const { changed, replaces, deleteBeforeReplace } = life.diff(id, own(olds), own(news));
      if (changed.length > 0) await life.foresee({ id, state: own(olds) }, own(news));
      await engine?.drain();
      return { changes: changed.length > 0 || isFromPlugin(olds), replaces: [...replaces], deleteBeforeReplace };
    },
    async create(inputs: Properties) {
      const { id, state } = await shown(() => life.create(own(inputs)), inputs);
      return { id, outs: state };
    },
    async read(id: string, props: Properties) {
      const found = await shown(() => life.read(id, own(props)), props);
      // An empty id tells the engine that the resource is gone.
      return found ? { id: found.id, props: found.state, inputs: life.inputsOf(found.state) } : { id: "", props: {} };
    },
    async update(id: string, olds: Properties, news: Properties) {
      // Nothing for the platform to do: the update is there to put our text into the state.
      if (isFromPlugin(olds) && diffInputs(definition, olds, own(news)).changed.length === 0)
        return { outs: { ...olds, ...own(news) } };
      const { state } = await shown(() => life.update(id, own(olds), own(news)), news);
      return { outs: state };
    },
    async delete(id: string, props: Properties): Promise<void> {
      await shown(() => life.delete(id, own(props)), props);
    },
  };
}

/** Made by the plugin, whose resources lack the text without which a dynamic one could not be deleted. */
function isFromPlugin(state: Properties): boolean {
  return !(providerKey in state);
}

function own(properties: Properties): Properties {
  const { [providerKey]: _, ...rest } = properties;
  return rest;
}

/** Errors as the dynamic runtime wants them: without a stack, which it would print, and with what a partial success made. */
async function shown<T>(work: () => Promise<T>, properties: Properties): Promise<T> {
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

function keptPart({ id, state }: Existing, reason: string, properties: Properties) {
  // Without __provider the engine could not run the next operation on the resource.
  return { id, properties: { ...state, [providerKey]: properties[providerKey] }, reasons: [reason] };
}

/** The engine's log, at the address that the runtime was started with: its own log has no line to the engine. */
function engineLog() {
  const address = process.argv.slice(2).find((argument) => /^[^\s-]\S*:\d+$/.test(argument));
  const { EngineLog: Log } = require("./plugin/log") as typeof import("./plugin/log");
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
