import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Methods, serveGrpc } from "../engine/grpc-server";
import type { EngineLog } from "../engine/log";
import { ConfigCalls } from "./config-calls";
import { ComponentCalls } from "./construct";
import { toRefusal } from "./errors";
import { FunctionCalls } from "./functions";
import { ListCalls } from "./list";
import { ResourceCalls } from "./resources";
import { Session } from "./session";
import { Empty, handshakeResponse, messages, PluginAttach, PluginInfo, type RequestStub, requests } from "./stubs";

const packageFolder = join(__dirname, "../../..");

export interface Service {
  readonly port: number;
  /** Cancels the calls in flight, and resolves when they have been answered. */
  finish(): Promise<void>;
}

/** Starts the service on a free local port. `servesMany`: for one engine after the other. */
export async function serve(log: EngineLog, options: { readonly servesMany?: boolean } = {}): Promise<Service> {
  const session = new Session(log, options);
  const port = await serveGrpc("pulumirpc.ResourceProvider", {
    ...pluginMethods(session),
    ...providerMethods(session),
  });
  return {
    port,
    finish: () => {
      session.cancel();
      return session.idle();
    },
  };
}

/** What the engine asks of every plugin. */
function pluginMethods(session: Session): Methods {
  const { answer } = answersOf(session);
  return {
    Handshake: answer(requests.handshake, async (request) => {
      session.reportsPreview = request.getInvokeWithPreview();
      return handshakeResponse();
    }),
    Attach: answer(PluginAttach, async (request) => {
      session.log.attach(request.getAddress());
      return new Empty();
    }),
    GetPluginInfo: answer(Empty, async () => {
      const info = new PluginInfo();
      info.setVersion(
        (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version,
      );
      return info;
    }),
    GetSchema: answer(Empty, async () => {
      const schema = new messages.GetSchemaResponse();
      schema.setSchema(readFileSync(join(packageFolder, "sdk/schema.json"), "utf8"));
      return schema;
    }),
    Cancel: answer(Empty, async () => {
      session.cancel();
      return new Empty();
    }),
  };
}

function providerMethods(session: Session): Methods {
  const config = new ConfigCalls(session);
  const resources = new ResourceCalls(session);
  const functions = new FunctionCalls(session);
  const lists = new ListCalls(session);
  const components = new ComponentCalls(session);
  const { answer, answerMany } = answersOf(session);
  return {
    CheckConfig: answer(messages.CheckRequest, (request) => config.checkConfig(request)),
    DiffConfig: answer(messages.DiffRequest, (request) => config.diffConfig(request)),
    Configure: answer(messages.ConfigureRequest, (request) => config.configure(request)),
    Check: answer(messages.CheckRequest, (request) => resources.check(request)),
    Diff: answer(messages.DiffRequest, (request) => resources.diff(request)),
    Create: answer(messages.CreateRequest, (request) => resources.create(request)),
    Read: answer(requests.read, (request) => resources.read(request)),
    Update: answer(messages.UpdateRequest, (request) => resources.update(request)),
    Delete: answer(messages.DeleteRequest, (request) => resources.delete(request)),
    Construct: answer(messages.ConstructRequest, (request) => components.construct(request)),
    Invoke: answer(requests.invoke, (request) => functions.invoke(request)),
    // Older stubs do not have the message.
    ...((messages.ListRequest as typeof messages.ListRequest | undefined) && {
      List: answerMany(messages.ListRequest, (request) => lists.list(request)),
    }),
  };
}

interface Response {
  serializeBinary(): Uint8Array;
}

/** Runs a call: its response or its error follows its log lines. */
function answersOf(session: Session) {
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toRefusal(error);
    } finally {
      await session.log.drain();
    }
  };
  return {
    answer:
      <Request>(stub: RequestStub<Request>, work: (request: Request) => Promise<Response>): Methods[string] =>
      (bytes) =>
        session.track(run(async () => (await work(stub.deserializeBinary(bytes))).serializeBinary())),
    answerMany:
      <Request>(stub: RequestStub<Request>, work: (request: Request) => Promise<Response[]>): Methods[string] =>
      (bytes) =>
        session.track(
          run(async () => (await work(stub.deserializeBinary(bytes))).map((response) => response.serializeBinary())),
        ),
  };
}
