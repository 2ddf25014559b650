import type { Log } from "../core/define";
import { engineStubs } from "./stubs";

type Severity = "INFO" | "WARNING";

/** The engine's log. A line with a URN is shown with that resource. */
export class EngineLog {
  #address: string | undefined;
  #engine: InstanceType<ReturnType<typeof engineStubs>["service"]["EngineClient"]> | undefined;
  readonly #pending = new Set<Promise<void>>();

  constructor(address: string | undefined) {
    this.#address = address;
  }

  /** Where the engine is; a component that runs in this process logs there too. */
  get address(): string | undefined {
    return this.#address;
  }

  attach(address: string): void {
    if (address === this.#address) return;
    this.#engine?.close();
    this.#engine = undefined;
    this.#address = address;
  }

  about(urn: string): Log {
    return {
      info: (message) => this.#send("INFO", message, urn),
      warn: (message) => this.#send("WARNING", message, urn),
    };
  }

  /** Resolves when every line has arrived: the engine may end this process after its last response. */
  async drain(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #send(severity: Severity, message: string, urn: string): void {
    if (!this.#address) {
      process.stderr.write(`${message}\n`);
      return;
    }
    const { grpc, messages, service } = engineStubs();
    this.#engine ??= new service.EngineClient(this.#address, grpc.credentials.createInsecure());
    const request = new messages.LogRequest();
    request.setSeverity(messages.LogSeverity[severity]);
    request.setMessage(message);
    request.setUrn(urn);
    const engine = this.#engine;
    // A line that cannot be delivered must not fail the work that logged it.
    const sent = new Promise<void>((resolve) => engine.log(request, () => resolve()));
    this.#pending.add(sent);
    void sent.then(() => this.#pending.delete(sent));
  }
}
