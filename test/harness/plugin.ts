import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Client, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { fromPulumi } from "../../provider/engine/stubs";
import { fromStruct, toStruct } from "../../provider/plugin/marshal";
import { messages } from "../../provider/plugin/stubs";
import { root } from "./engine";
import { grpc } from "./grpc";

type Service = Parameters<InstanceType<typeof grpc.Server>["addService"]>[0];
const { EngineService } = fromPulumi("./proto/engine_grpc_pb.js") as { EngineService: Service };
const { ResourceProviderService } = fromPulumi("./proto/provider_grpc_pb.js") as { ResourceProviderService: Service };
const { Empty } = fromPulumi("google-protobuf/google/protobuf/empty_pb.js") as { Empty: new () => object };

export type Values = Record<string, unknown>;

/** A message with these fields; in the place of an object it has the engine's form of it. */
export function messageOf<M extends object>(kind: new () => M, fields: Values): M {
  const message = new kind();
  const setters = message as Record<string, (value: unknown) => void>;
  for (const [name, value] of Object.entries(fields))
    setters[`set${name[0]!.toUpperCase()}${name.slice(1)}`]!.call(
      message,
      typeof value === "object" ? toStruct(value as Values) : value,
    );
  return message;
}

export interface LogLine {
  readonly message: string;
  readonly urn: string;
  readonly severity: number;
}

/** Runs the plugin as a process and acts as the engine, for messages that the engine rarely or never sends. */
export class PluginProcess {
  private constructor(
    readonly process: ChildProcess,
    private readonly client: Client,
    private readonly engine: InstanceType<typeof grpc.Server>,
    readonly log: readonly LogLine[],
  ) {}

  /** `attached`: as a debugger runs it, for several engines one after the other. */
  static async start(env: NodeJS.ProcessEnv = {}, { attached = false } = {}): Promise<PluginProcess> {
    const log: LogLine[] = [];
    const engine = new grpc.Server();
    engine.addService(EngineService, {
      log: (call: { request: { toObject(): LogLine } }, callback: (error: null, answer: object) => void) => {
        log.push(call.request.toObject());
        callback(null, new Empty());
      },
    });
    const enginePort = await new Promise<number>((resolve, reject) =>
      engine.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      ),
    );
    const address = attached ? [] : [`127.0.0.1:${enginePort}`];
    const child = spawn(process.execPath, [join(root, "dist/provider/plugin/main.js"), ...address], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...globalThis.process.env, ...env },
    });
    const line = await new Promise<string>((resolve) => child.stdout!.once("data", (data) => resolve(String(data))));
    const ClientClass = grpc.makeGenericClientConstructor(ResourceProviderService, "provider");
    const client = new ClientClass(`127.0.0.1:${Number(line)}`, grpc.credentials.createInsecure());
    return new PluginProcess(child, client, engine, log);
  }

  /** Calls a method by name; returns the stub's answer. */
  call<Answer>(method: string, request: object): Promise<Answer> {
    type Method = (request: object, done: (error: ServiceError | null, answer: Answer) => void) => void;
    const methods = this.client as unknown as Record<string, Method>;
    return new Promise((resolve, reject) =>
      methods[method]!.call(this.client, request, (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  }

  /** Calls a method that answers with a stream. */
  stream<Answer>(method: string, request: object): ClientReadableStream<Answer> {
    const methods = this.client as unknown as Record<string, (request: object) => ClientReadableStream<Answer>>;
    return methods[method]!.call(this.client, request);
  }

  async handshake(): Promise<void> {
    await this.call("handshake", messageOf(messages.ProviderHandshakeRequest, { invokeWithPreview: true }));
  }

  async configure(config: Values): Promise<void> {
    await this.call("configure", messageOf(messages.ConfigureRequest, { args: config }));
  }

  async check(type: string, inputs: Values, name?: string) {
    const request = messageOf(messages.CheckRequest, { urn: urnOf(type, name), news: inputs });
    const answer = await this.call<InstanceType<typeof messages.CheckResponse>>("check", request);
    const failures = answer.getFailuresList().map((failure) => failure.toObject());
    return { inputs: answer.getInputs()!.toJavaScript() as Values, failures };
  }

  async create(type: string, inputs: Values, { preview = false, timeout = 0 } = {}) {
    const request = messageOf(messages.CreateRequest, { urn: urnOf(type), properties: inputs, preview, timeout });
    const answer = await this.call<InstanceType<typeof messages.CreateResponse>>("create", request);
    return { id: answer.getId(), properties: answer.getProperties()!.toJavaScript() as Values };
  }

  /** Without properties, acts like an import: the field is then absent, not empty. */
  async read(type: string, id: string, properties?: Values) {
    const request = messageOf(messages.ReadRequest, { urn: urnOf(type), id, ...(properties && { properties }) });
    const answer = await this.call<InstanceType<typeof messages.ReadResponse>>("read", request);
    return {
      id: answer.getId(),
      properties: fromStruct(answer.getProperties()),
      inputs: fromStruct(answer.getInputs()),
    };
  }

  async stop(): Promise<void> {
    this.#leave();
    if (this.process.exitCode !== null) return;
    const ended = this.#ended();
    this.process.kill();
    await ended;
  }

  /** Sends the signal with which the engine stops a plugin; returns the exit code. */
  interrupt(): Promise<number | null> {
    const ended = this.#ended();
    this.process.kill("SIGINT");
    return ended;
  }

  /** Simulates an engine that disappears: its socket and the plugin's stdin close. */
  abandon(): Promise<number | null> {
    const ended = this.#ended();
    this.#leave();
    this.process.stdin!.destroy();
    return ended;
  }

  #leave(): void {
    this.client.close();
    this.engine.forceShutdown();
  }

  #ended(): Promise<number | null> {
    return new Promise((resolve) => this.process.once("exit", resolve));
  }
}

export function urnOf(type: string, name = "it"): string {
  return `urn:pulumi:test::project::dataplatform:index:${type}::${name}`;
}

/** The error of a call that must fail. */
export async function wireErrorOf(work: Promise<unknown>): Promise<ServiceError> {
  try {
    await work;
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error("the call should have failed");
}
