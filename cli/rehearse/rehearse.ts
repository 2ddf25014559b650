import { createHmac, randomBytes } from "node:crypto";
import { type Emulator, startEmulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { type Managed, managedResources } from "../pulumi/managed";
import type { WholeExport } from "../pulumi/stack";
import { TemporaryStack } from "./backend";
import { AccountCopier, type AccountCopy, joined } from "./copy";
import { endOf, runWithFaults } from "./faults";
import { type OtherAccount, otherAccounts, redirected, refuse } from "./providers";
import type { RehearsalReport } from "./report";
import { type Rehearsal, reportOf } from "./result";
import type { Thing } from "./thing";
import { type Preview, previewOf, update } from "./update";

/** Reads production, then runs the program against an emulator in its place. */
export async function rehearse(rehearsal: Rehearsal): Promise<RehearsalReport> {
  const { exported, settings, allowedProviders } = rehearsal;
  const state = exported.deployment?.resources ?? [];
  refuse(state, allowedProviders, settings, "in the state");
  const others = otherAccounts(state, settings);
  const clients = [settings, ...others.map((one) => one.settings)].map((one) => new Client(one));
  let emulator: Emulator | undefined;
  try {
    const stage = new Stage(rehearsal, others, clients);
    const copy = await stage.copy([]);
    emulator = await startStage(rehearsal, copy);
    return await stage.play(emulator, copy);
  } finally {
    for (const client of clients) await client.close();
    await emulator?.close();
  }
}

/** An installation's extended operations are known from its profile alone. */
export function startStage(
  { settings, profile }: Pick<Rehearsal, "settings" | "profile">,
  { seed }: Pick<AccountCopy, "seed">,
): Promise<Emulator> {
  const extended = settings.extendedApi && profile === undefined ? true : undefined;
  // It holds a copy of the account: nobody else on this machine may look at it, or change it.
  return startEmulator({ seed, profile, extended, control: false });
}

/** Functions of the program can read policies that no resource names; each round of previews may find more. */
const mostPreviews = 3;
const start = "start";

class Stage {
  readonly #rehearsal: Rehearsal;
  /** The stack's own account first. */
  readonly #copiers: readonly AccountCopier[];
  readonly #others: readonly OtherAccount[];
  /** By the token of another account, the one that the emulator knows in its place. */
  readonly #tokens: ReadonlyMap<string, string>;
  readonly #existing: readonly Managed[];
  readonly #key = randomBytes(16);

  constructor(rehearsal: Rehearsal, others: readonly OtherAccount[], clients: readonly Client[]) {
    this.#rehearsal = rehearsal;
    this.#others = others;
    this.#existing = managedResources(rehearsal.exported.deployment?.resources ?? []);
    const own = others.map(({ settings: { apiToken } }) => [apiToken, this.#replaceSecret(apiToken)] as const);
    this.#tokens = new Map(own);
    const replaceSecret = this.#replaceSecret;
    this.#copiers = clients.map((client, index) => {
      const token = own[index - 1]?.[1];
      return new AccountCopier(client, rehearsal.progress, { replaceSecret, index, token });
    });
  }

  /** Each account with what its providers manage. */
  async copy(planned: readonly Thing[]): Promise<AccountCopy> {
    const copies: AccountCopy[] = [];
    for (const [index, copier] of this.#copiers.entries()) {
      this.#rehearsal.signal.throwIfAborted();
      const isOfIt = ({ provider }: Thing) =>
        this.#others.findIndex(({ providers }) => providers.includes(provider ?? "")) === index - 1;
      copies.push(await copier.copy(this.#existing.filter(isOfIt), planned.filter(isOfIt)));
    }
    return joined(copies);
  }

  async play(emulator: Emulator, copy: AccountCopy): Promise<RehearsalReport> {
    const { original, exported: real, settings, progress, signal } = this.#rehearsal;
    const redirection = { from: settings, to: { baseUrl: emulator.url, apiToken: copy.token }, tokens: this.#tokens };
    const stack = new TemporaryStack(original, redirection, signal);
    try {
      await progress.during("copying the stack", () => stack.init());
      const exported = redirected(real, redirection, this.#replaceSecret);
      await stack.importState(exported);
      return await this.#perform({ emulator, stack, copy, exported });
    } finally {
      stack.remove();
    }
  }

  async #perform(scene: Scene): Promise<RehearsalReport> {
    const { emulator, stack, exported } = scene;
    const { progress, latencyMs, withFaults, signal } = this.#rehearsal;
    const { preview, copy } = await this.#preview(scene);
    const about = { ...this.#rehearsal, existing: this.#existing, preview, emulator, assumptions: copy.assumptions };
    if (!preview.isOk) return reportOf({ ...about, update: undefined, end: { resources: [], pending: [] } });
    if (latencyMs > 0) emulator.setFaults({ rules: [{ kind: "latency", latencyMs }] });
    emulator.snapshot(start);
    emulator.clearRequests();
    const updated = await progress.during("rehearsing", () => update(stack));
    signal.throwIfAborted();
    const report = reportOf({ ...about, update: updated, end: await stack.state() });
    if (!withFaults || report.outcome === "failed") return report;
    const end = endOf(emulator);
    await stack.importState(exported);
    emulator.restore(start);
    const faults = await progress.during("rehearsing with faults", () => runWithFaults(emulator, stack, end));
    signal.throwIfAborted();
    return { ...report, faults };
  }

  /** Previews until nothing new turns up that the program is about, and copies that too. */
  async #preview({ emulator, stack, copy: first }: Scene): Promise<{ preview: Preview; copy: AccountCopy }> {
    const { progress, allowedProviders, signal } = this.#rehearsal;
    let copy = first;
    let preview: Preview | undefined;
    const planned = new Map<string, Thing>();
    const known = { baseUrl: emulator.url, tokens: [first.token, ...this.#tokens.values()] };
    for (let round = 0; round < mostPreviews; round++) {
      preview = await progress.during("previewing", () => previewOf(stack));
      signal.throwIfAborted();
      refuse(preview.registered, allowedProviders, known, "in the program");
      const before = planned.size;
      for (const thing of [...preview.written, ...viewedObjects(emulator)])
        planned.set(JSON.stringify([thing.type, thing.state, thing.provider]), thing);
      if (round > 0 && planned.size === before) break;
      copy = await this.copy([...planned.values()]);
      emulator.reset(copy.seed);
      // A preview that succeeded asked for nothing that is missing.
      if (preview.isOk) break;
    }
    return { preview: preview!, copy };
  }

  /** Equal secrets have equal stand-ins. */
  readonly #replaceSecret = (secret: string): string =>
    `stand-in-${createHmac("sha256", this.#key).update(secret).digest("hex").slice(0, 32)}`;
}

interface Scene {
  readonly emulator: Emulator;
  readonly stack: TemporaryStack;
  readonly copy: AccountCopy;
  readonly exported: WholeExport;
}

/** Objects whose policies the program has asked for, found or not. */
function viewedObjects(emulator: Emulator): Thing[] {
  return emulator.requests(5000).requests.flatMap(({ operation, body }) => {
    if (operation !== "objectPolicy.view" || typeof body !== "object" || body === null) return [];
    const { source_id: sourceId, source_type: sourceType } = body as Record<string, unknown>;
    return [{ type: "ObjectPolicy", id: "", state: { sourceType, sourceId } }];
  });
}
