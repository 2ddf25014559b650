import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { Client } from "../../provider/api/client";
import { Clients } from "../../provider/api/clients";
import { withExtendedApi } from "../../provider/core/extended";
import { limitsOf } from "../../provider/core/limits";
import { accountOf, accountText, mismatchFix, mismatchText, Owners } from "../platform/accounts";
import { ifConfigured, type Managed, managedResources, settingsFinder } from "../pulumi/managed";
import { nameOf, type StackConfig, type State } from "../pulumi/stack";
import { plural } from "../terminal/plural";
import type { StatusLine } from "../terminal/status-line";
import { printable } from "../terminal/style";
import { type Finding, findingsOf } from "./finding";
import { lookUp } from "./look-up";
import { clearCommand, modeless, type Pending, type Settling, settle } from "./pending";
import { failFast } from "./platform";

const { ok, info, warning, problem } = findingsOf("Stack");

interface StackFacts {
  readonly state: State;
  readonly config: StackConfig;
  /** Whether the platform answers and accepts the token. */
  readonly usable: boolean;
  readonly settling: Settling;
}

/** Whether the token's account owns the stack's resources, and the outcome of interrupted operations. */
export async function stackFindings(
  { state, config, usable, settling }: StackFacts,
  progress: StatusLine,
): Promise<Finding[]> {
  const settingsOf = settingsFinder(state.resources, config);
  const clients = new Clients();
  const clientOf = (resource: Managed): Client => clients.of(failFast(settingsOf(resource)));
  const pending = pendingOf(state);
  const root = state.resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.urn;
  try {
    if (!usable) return unsettled(pending);
    const accounts = await progress.during("checking accounts", () =>
      accountFindings(state, clientOf, settling.onStack),
    );
    // A token of another account cannot see what an interrupted run created.
    const { others, ours } = pending;
    const visible = ours.filter(({ resource }) => !accounts.wrong.has(ifConfigured(() => clientOf(resource))));
    return [
      ...accounts.findings,
      ...(await pendingFindings({ ours: visible, others }, clientOf, { ...settling, root }, progress)),
      ...unsettled({ ours: ours.filter((one) => !visible.includes(one)), others: 0 }),
    ];
  } finally {
    await clients.close();
  }
}

async function accountFindings(state: State, clientOf: (resource: Managed) => Client, onStack: string) {
  const owners = new Owners();
  const unset = new Map<string, string>();
  for (const resource of managedResources(state.resources))
    try {
      owners.note(resource, clientOf(resource));
    } catch (error) {
      // The stack's own settings have findings of their own.
      if (resource.provider) unset.set(resource.provider, (error as Error).message);
    }
  const findings: Finding[] = [...unset].map(([provider, says]) =>
    problem("provider", `${nameOf(provider)}: ${says}`, 'pass it in the program, then run "pulumi up"'),
  );
  const wrong = new Set<Client | undefined>();
  const all = await owners.settle();
  for (const { client, token, resources, mismatch } of all) {
    const known = [...new Set(resources.flatMap((resource) => accountOf(resource) ?? []))].sort();
    if (known.length === 0) continue;
    if (mismatch) {
      findings.push(problem("account", mismatchText(mismatch), mismatchFix(onStack, resources[0]?.provider)));
      wrong.add(client);
      continue;
    }
    const whose = all.length > 1 ? ` of ${providersOf(resources)}` : "";
    findings.push(
      token
        ? ok("account", `the token and the resources${whose} belong to ${accountText(token)}`)
        : info(
            "account",
            `the resources${whose} belong to account ${known.join(", ")}; the token's account is unknown`,
          ),
    );
  }
  if (all.length > 1)
    findings.push(info("providers", "permissions and the extended API are checked for the stack's own token only"));
  return { findings, wrong };
}

function providersOf(resources: readonly Managed[]): string {
  const names = resources.map(({ provider }) => provider && `Provider ${nameOf(provider)}`);
  return [...new Set(names.map((name) => name ?? "the default provider"))].join(" and ");
}

type AllPending = ReturnType<typeof pendingOf>;

function pendingOf({ pending, resources }: State) {
  const inState = new Map(
    resources.flatMap(({ created, ...rest }) =>
      managedResources([rest]).map((resource) => [modeless(rest.urn), { resource, created }] as const),
    ),
  );
  const ours = pending.flatMap((operation): Pending[] => {
    const [resource] = managedResources([operation.resource]);
    if (!resource) return [];
    const found = inState.get(modeless(resource.urn));
    const isReplaced = found?.created === operation.resource.created;
    return [{ operation, resource, inState: found && { resource: found.resource, isReplaced } }];
  });
  return { ours, others: pending.length - ours.length };
}

async function pendingFindings(
  { ours, others }: AllPending,
  clientOf: (resource: Managed) => Client,
  settling: Settling,
  progress: StatusLine,
): Promise<Finding[]> {
  const found = await progress.each("looking up interrupted operations", ours, 4, async (pending) => {
    const { operation, resource } = pending;
    if (operation.type === "creating") return { ...pending, outcome: await lookUp(resource, () => clientOf(resource)) };
    return { ...pending, outcome: undefined, unseen: whyUnseen(resource, clientOf(resource)) };
  });
  const settled = found.map((one) => settle(one, found, settling));
  const otherProviders =
    others > 0 ? [info("pending", `${plural(others, "interrupted operation")} of other providers not checked`)] : [];
  return [
    ...(settled.some(({ imports }) => imports) ? needsPlugin(settling) : []),
    ...withoutRepeated(settled.map(({ finding }) => finding)),
    ...(settled.some(({ stays }) => stays) ? [clearAtTheEnd(settling)] : []),
    ...otherProviders,
  ];
}

/** Why a refresh sees nothing of a resource, if that is so. */
function whyUnseen({ definition }: Managed, { settings }: Client): string | undefined {
  return definition && limitsOf(settings.extendedApi ? withExtendedApi(definition) : definition).unseen;
}

/** Two runs that were interrupted at the same resource may have one outcome. */
function withoutRepeated(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** Imported resources use the plugin until the next `up`, so having it on PATH for one command is not enough. */
function needsPlugin({ pluginFix }: Settling): Finding[] {
  if (pluginFix === undefined) return [];
  const says = "imports need the plugin, even in dynamic mode, but the engine cannot find it";
  return [problem("plugin", says, pluginFix)];
}

function clearAtTheEnd(settling: Settling): Finding {
  const says =
    "neither an import nor an up clears pending operations; clear them once the steps above are done (not with --import-pending-creates, which clears them without importing anything)";
  return warning("pending", says, clearCommand(settling));
}

function unsettled({ ours }: AllPending): Finding[] {
  if (ours.length === 0) return [];
  return [
    warning(
      "pending",
      `${plural(ours.length, "interrupted operation")} not looked up: this needs a working platform and a token of the right account`,
      "fix the problem above, then run dataplatform doctor again",
    ),
  ];
}

const Lock = z.looseObject({ username: z.string(), hostname: z.string(), timestamp: z.string() });

/** A lock that a killed run has left, where the state is in a folder. Other backends do not show theirs. */
export function lockFindings(
  backend: string,
  { cwd, project, stack }: { readonly cwd: string; readonly project: string; readonly stack: string },
  onStack: string,
): Finding[] {
  if (!backend.startsWith("file://")) return [];
  const folder = resolve(cwd, backend.slice("file://".length).replace(/^~/, homedir()));
  const locks = join(folder, ".pulumi/locks/organization", project, stack);
  return locksIn(locks).map((data) => {
    const says = `locked by a run of ${data.username} on ${data.hostname} since ${data.timestamp}: no other run can begin`;
    return warning("lock", printable(says), `pulumi cancel${onStack}   # if that run was killed; else wait for it`);
  });
}

function locksIn(folder: string) {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
    return files.map((name) => Lock.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  } catch {
    // None, or one that has just gone.
    return [];
  }
}
