import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Methods, serveGrpc } from "../engine/grpc-server";
import type { EngineLog } from "../engine/log";
import { configMethods } from "./config-calls";
import { componentMethods } from "./construct";
import { functionMethods } from "./functions";
import { listMethods } from "./list";
import { resourceMethods } from "./resources";
import { Session } from "./session";
import { Empty, handshakeResponse, messages, PluginAttach, PluginInfo, requests } from "./stubs";

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
    ...configMethods(session),
    ...resourceMethods(session),
    ...componentMethods(session),
    ...functionMethods(session),
    ...listMethods(session),
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
const pluginMethods = (session: Session): Methods => ({
  Handshake: session.method(requests.handshake, async (request) => {
    session.isSince3206 = request.getInvokeWithPreview();
    return handshakeResponse();
  }),
  Attach: session.method(PluginAttach, async (request) => {
    session.log.attach(request.getAddress());
    return new Empty();
  }),
  GetPluginInfo: session.method(Empty, async () => {
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
    return new PluginInfo().setVersion(version);
  }),
  GetSchema: session.method(Empty, async () =>
    new messages.GetSchemaResponse().setSchema(readFileSync(join(packageFolder, "sdk/schema.json"), "utf8")),
  ),
  Cancel: session.method(Empty, async () => {
    session.cancel();
    return new Empty();
  }),
});
