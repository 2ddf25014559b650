import { createHmac, randomBytes } from "node:crypto";
import { type Emulator, startEmulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { type Managed, managedResources } from "../pulumi/managed";
import type { WholeExport } from "../pulumi/stack";
import { TemporaryStack } from "./backend";
import { AccountCopier, type AccountCopy } from "./copy";
import { endOf } from "./end";
import { runWithFaults } from "./faults";
import { type Preview, previewOf } from "./preview";
import { ProductionReader } from "./production";
import { type Redirection, redirected, refuseAccounts, refuseOthers, refuseReferences } from "./providers";
import type { RehearsalReport } from "./report";
import { type Rehearsal, reportOf } from "./result";
import type { Thing } from "./thing";
import { update } from "./update";

/** Reads production, then runs the program against an emulator in its place. */
export async function rehearse(rehearsal: Rehearsal): Promise<RehearsalReport> {
  const { exported, settings, allowedProviders, progress } = rehearsal;
  const state = exported.deployment?.resources ?? [];
  refuseOthers(state, allowedProviders);
  refuseReferences(state);
  refuseAccounts(state, settings, "in the state");
  const client = new Client(settings);
  let emulator: Emulator | undefined;
  try {
    const stage = new Stage(rehearsal, new AccountCopier(new ProductionReader(client, progress), progress));
    const copy = await stage.copy([]);
    emulator = await startStage(rehearsal, copy);
    return await stage.play(emulator, copy);
  } finally {
    await client.close();
    await emulator?.close();
  }
}

/** An installation's extended operations are known from its profile alone. */
function startStage({ settings, profile }: Rehearsal, { seed }: AccountCopy): Promise<Emulator> {
  const extended = settings.extendedApi && profile === undefined ? true : undefined;
  // It holds a copy of the account: nobody else on this machine may look at it, or change it.
  return startEmulator({ seed, profile, extended, control: false });
}

/** Functions of the program can read policies that no resource names; each round of previews may find more. */
const mostPreviews = 3;
const start = "start";

class Stage {
  readonly #rehearsal: Rehearsal;
  readonly #copier: AccountCopier;
  readonly #existing: readonly Managed[];
  readonly #key = randomBytes(16);

  constructor(rehearsal: Rehearsal, copier: AccountCopier) {
    this.#rehearsal = rehearsal;
    this.#copier = copier;
    this.#existing = managedResources(rehearsal.exported.deployment?.resources ?? []);
  }

  copy(planned: readonly Thing[]): Promise<AccountCopy> {
    this.#rehearsal.signal.throwIfAborted();
    return this.#copier.copy({ existing: this.#existing, planned, replaceSecret: this.#replaceSecret });
  }

  async play(emulator: Emulator, copy: AccountCopy): Promise<RehearsalReport> {
    const { original, settings, progress, signal } = this.#rehearsal;
    const redirection = { from: settings, to: { baseUrl: emulator.url, apiToken: copy.token } };
    const stack = await progress.during("copying the stack", () =>
      TemporaryStack.create(original, redirection, signal),
    );
    try {
      const exported = this.#redirected(redirection);
      await stack.importState(exported);
      return await this.#perform({ emulator, stack, copy, exported, redirection });
    } finally {
      stack.remove();
    }
  }

  async #perform({ emulator, stack, copy: first, exported, redirection }: Scene): Promise<RehearsalReport> {
    const { progress, latencyMs, withFaults, signal } = this.#rehearsal;
    const { preview, copy } = await this.#preview(emulator, stack, first, redirection);
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
  async #preview(emulator: Emulator, stack: TemporaryStack, first: AccountCopy, { to }: Redirection) {
    const { progress, allowedProviders, signal } = this.#rehearsal;
    let copy = first;
    let preview: Preview | undefined;
    const planned = new Map<string, Thing>();
    for (let round = 0; round < mostPreviews; round++) {
      preview = await progress.during("previewing", () => previewOf(stack));
      signal.throwIfAborted();
      refuseOthers(preview.registered, allowedProviders);
      refuseReferences(preview.registered);
      refuseAccounts(preview.registered, to, "in the program");
      const known = planned.size;
      for (const thing of [...preview.written, ...viewedObjects(emulator)])
        planned.set(JSON.stringify([thing.type, thing.state]), thing);
      if (round > 0 && planned.size === known) break;
      copy = await this.copy([...planned.values()]);
      emulator.reset(copy.seed);
      // A preview that succeeded asked for nothing that is missing.
      if (preview.isOk) break;
    }
    return { preview: preview!, copy };
  }

  #redirected(redirection: Redirection): WholeExport {
    const { exported } = this.#rehearsal;
    const { deployment } = exported;
    if (!deployment) return exported;
    const resources = redirected(deployment.resources ?? [], redirection, this.#replaceSecret);
    return { ...exported, deployment: { ...deployment, resources } };
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
  readonly redirection: Redirection;
}

/** Objects whose policies the program has asked for, found or not. */
function viewedObjects(emulator: Emulator): Thing[] {
  return emulator.requests(5000).requests.flatMap(({ operation, body }) => {
    if (operation !== "objectPolicy.view" || typeof body !== "object" || body === null) return [];
    const { source_id: sourceId, source_type: sourceType } = body as Record<string, unknown>;
    const state = { sourceType, sourceId };
    return [{ type: "ObjectPolicy", id: "", inputs: state, state }];
  });
}
