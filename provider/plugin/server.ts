import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { handleUnaryCall, sendUnaryData, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { EngineLog } from "../engine/log";
import { grpc } from "../engine/stubs";
import { ConfigCalls } from "./config-calls";
import { ComponentCalls } from "./construct";
import { toWireError } from "./errors";
import { FunctionCalls } from "./functions";
import { ListCalls } from "./list";
import { ResourceCalls } from "./resources";
import { Session } from "./session";
import { Empty, handshakeResponse, messages, PluginInfo, ResourceProviderService } from "./stubs";

const packageFolder = join(__dirname, "../../..");

export interface Service {
  readonly port: number;
  /** Cancels the calls in flight, and resolves when they have been answered. */
  finish(): Promise<void>;
}

/** Starts the service on a free local port. */
export async function serve(log: EngineLog): Promise<Service> {
  const session = new Session(log);
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, serviceOf(session));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    port,
    finish: () => {
      session.cancel();
      return session.idle();
    },
  };
}

function serviceOf(session: Session): UntypedServiceImplementation {
  const config = new ConfigCalls(session);
  const resources = new ResourceCalls(session);
  const functions = new FunctionCalls(session);
  const lists = new ListCalls(session);
  const components = new ComponentCalls(session);
  const answer = <Request, Response>(work: (request: Request) => Promise<Response>) => unary(session, work);
  return {
    handshake: answer(async (request: InstanceType<typeof messages.ProviderHandshakeRequest>) => {
      session.reportsPreview = request.getInvokeWithPreview?.() ?? false;
      return handshakeResponse();
    }),
    attach: answer(async (request: { getAddress(): string }) => {
      session.log.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: answer(async () => {
      const info = new PluginInfo();
      info.setVersion(
        (JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string }).version,
      );
      return info;
    }),
    getSchema: answer(async () => {
      const schema = new messages.GetSchemaResponse();
      schema.setSchema(readFileSync(join(packageFolder, "sdk/schema.json"), "utf8"));
      return schema;
    }),
    cancel: answer(async () => {
      session.cancel();
      return new Empty();
    }),
    checkConfig: answer((request: Parameters<ConfigCalls["checkConfig"]>[0]) => config.checkConfig(request)),
    diffConfig: answer((request: Parameters<ConfigCalls["diffConfig"]>[0]) => config.diffConfig(request)),
    configure: answer((request: Parameters<ConfigCalls["configure"]>[0]) => config.configure(request)),
    check: answer((request: Parameters<ResourceCalls["check"]>[0]) => resources.check(request)),
    diff: answer((request: Parameters<ResourceCalls["diff"]>[0]) => resources.diff(request)),
    create: answer((request: Parameters<ResourceCalls["create"]>[0]) => resources.create(request)),
    read: answer((request: Parameters<ResourceCalls["read"]>[0]) => resources.read(request)),
    update: answer((request: Parameters<ResourceCalls["update"]>[0]) => resources.update(request)),
    delete: answer((request: Parameters<ResourceCalls["delete"]>[0]) => resources.delete(request)),
    construct: answer((request: Parameters<ComponentCalls["construct"]>[0]) => components.construct(request)),
    invoke: answer((request: Parameters<FunctionCalls["invoke"]>[0]) => functions.invoke(request)),
    list: (call: Parameters<ListCalls["list"]>[0]) => session.track(lists.list(call)),
  };
}

/** One call: sends its response or its error, after its log lines. */
function unary<Request, Response>(
  session: Session,
  work: (request: Request) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  const handle = async (request: Request, callback: sendUnaryData<Response>): Promise<void> => {
    try {
      const response = await work(request);
      await session.log.drain();
      callback(null, response);
    } catch (error) {
      await session.log.drain();
      callback(toWireError(error));
    }
  };
  return (call, callback) => session.track(handle(call.request, callback));
}
