import type { Client } from "../../provider/api/client";
import { Clients } from "../../provider/api/clients";
import type { Context } from "../../provider/core/define";
import { lookAtFolderPolicy, type PolicyFolder } from "../../provider/platform/policies/folders";
import { viewPolicy } from "../../provider/platform/policies/objects";
import { listedIn } from "../../provider/values/element";
import { asNumber, type Id } from "../../provider/values/id";
import { isRewritten, type Policy } from "../../provider/values/policy";
import type { Source } from "../inventory/accounts";
import { accountOf, mismatchesIn, Owners, type Ownership, wrongAccountReason } from "../platform/accounts";
import { ifAboutOneThing, reading } from "../platform/connect";
import { ifConfigured, type Managed, managedResources, settingsFinder } from "../pulumi/managed";
import type { StackConfig, StateResource } from "../pulumi/stack";
import type { StatusLine } from "../terminal/status-line";
import { holds, isGrant, isHidden, policyAfter } from "./after";
import { type Account, type Examined, reportOf } from "./assemble";
import type { Plan } from "./plan";
import { declaredPolicy, elementsIn, hiddenBySecret, type PolicyState, unknownConditions } from "./policy";
import { type GroupNames, readDirectory } from "./read-directory";
import type { AccessReport } from "./report";
import { allOf, type Item, itemsOf, type Target, titleOf } from "./target";

export interface Question extends Source {
  readonly config: StackConfig;
  readonly plan?: Plan | undefined;
  /** Only these objects and folders, if there are any. */
  readonly targets?: readonly Target[];
  /** Names of groups by id, where the platform does not show both. */
  readonly groupNames?: GroupNames;
  /** Only these users, if there are any: ids or e-mail addresses. */
  readonly users?: readonly string[];
}

/** Reads the policies and users that the question is about, and says who may do what. */
export async function examine(
  question: Question,
  { progress, tool }: { readonly progress: StatusLine; readonly tool: string },
): Promise<AccessReport> {
  const { state, config, plan, targets } = question;
  const { items, ...left } = itemsOf(state, plan, targets);
  const settingsOf = settingsFinder(state, config);
  const clients = new Clients();
  try {
    const connected = items.map((item) => ({ item, ...connect(item, settingsOf, clients) }));
    const used = new Set(connected.map(({ client }) => client));
    const ownerships = await progress.during("checking accounts", () =>
      ownershipsOf(state, used, (resource) => clients.of(settingsOf(resource))),
    );
    const parallel = Math.max(1, ...[...used].map((client) => client?.settings.connections ?? 1));
    const examined = await progress.each("reading policies", connected, parallel, async ({ item, client, unknown }) => {
      const ownership = ownerships.find((one) => one.client === client);
      return examineItem(item, { client, unknown: unknown ?? wrongAccount(item, ownership) }, plan?.steps ?? []);
    });
    const groupNames = new Map([...namesIn(state), ...(question.groupNames ?? [])]);
    const accounts = await accountsOf(examined, { progress, groupNames });
    return reportOf(question, { tool, ...left, accounts, mismatches: mismatchesIn(ownerships) });
  } finally {
    await clients.close();
  }
}

interface Connection {
  readonly client?: Client | undefined;
  /** Why nothing can be read. */
  readonly unknown?: string | undefined;
}

/** Missing settings of the stack fail for everything; those of an explicit provider only for its own objects. */
function connect({ provider }: Item, settingsOf: ReturnType<typeof settingsFinder>, clients: Clients): Connection {
  try {
    return { client: clients.of(settingsOf({ provider })) };
  } catch (error) {
    if (provider === undefined) throw error;
    return { unknown: (error as Error).message };
  }
}

/** The accounts of the tokens in use, and of all resources of the stack that have these tokens. */
async function ownershipsOf(
  state: readonly StateResource[],
  used: ReadonlySet<Client | undefined>,
  clientOf: (resource: Managed) => Client,
): Promise<Ownership[]> {
  const owners = new Owners();
  for (const resource of managedResources(state)) {
    const client = ifConfigured(() => clientOf(resource));
    if (client && used.has(client)) owners.note(resource, client);
  }
  return owners.settle();
}

/** An object of another account may have the same id there, and other users. */
function wrongAccount({ declared }: Item, found: Ownership | undefined): string | undefined {
  if (!found?.mismatch) return undefined;
  const wrong = new Set(found.mismatch.urns);
  const resource = declared.find(({ urn }) => wrong.has(urn));
  // Whoever names an object that is not in the stack means the account of the stack.
  const isWrong = resource !== undefined || (declared.length === 0 && wrong.size === found.resources.length);
  return isWrong ? wrongAccountReason(found.mismatch, resource && accountOf(resource)) : undefined;
}

async function examineItem(
  item: Item,
  { client, unknown }: Connection,
  steps: Plan["steps"],
): Promise<Examined & { client?: Client }> {
  const isReadable = client !== undefined && unknown === undefined;
  const shown = isReadable ? await readPolicy(client, item) : { unknown: unknown ?? "" };
  const { before, notes } = currentPolicy(item, shown);
  const where = { kind: item.target.kind, extendedApi: client?.settings.extendedApi ?? false, steps };
  return { item, before, after: policyAfter(before, item.steps, where), notes, ...(isReadable ? { client } : {}) };
}

/** The policy that the platform shows, or why it does not. */
async function readPolicy(client: Client, item: Item): Promise<PolicyState> {
  const { target } = item;
  const notes: string[] = [];
  return reading<PolicyState>(client, titleOf(target), notes, (context) =>
    target.kind === "object" ? readObject(context, target) : readFolder(context, item, notes),
  ).catch(ifAboutOneThing((unknown) => ({ unknown })));
}

async function readObject({ api }: Context, { type, id }: Target): Promise<PolicyState> {
  return shown(await viewPolicy(api, { sourceType: type, sourceId: id }));
}

const absentFolder = "the platform shows no policy of it: it has none, or there is no such folder";

async function readFolder(context: Context, { target, declared, steps }: Item, notes: string[]): Promise<PolicyState> {
  if (!context.api.settings.extendedApi)
    return { unknown: "the API cannot show the policy of a folder; the extended API can (dataplatform:extendedApi)" };
  const folder = { type: target.type as PolicyFolder["type"], location: target.id, name: target.name };
  const found = await lookAtFolderPolicy(context, folder);
  if (found === "unknown")
    return { unknown: notes.join("; ") || "this installation does not show the policy of a folder" };
  if (found !== "absent") return shown(found);
  // If somebody has named it, and nothing else speaks for it, it may be misspelt.
  if (declared.length + steps.length === 0) return { unknown: absentFolder };
  return { elements: [], from: "platform", notes: [absentFolder] };
}

function shown(policy: Policy): PolicyState {
  const elements = elementsIn(policy);
  if (!elements) return { unknown: "the platform's response is not a list of policy elements" };
  return { elements, from: "platform", notes: unknownConditions(policy) };
}

/** What the platform shows, else what the last `up` has set. */
function currentPolicy(item: Item, shown: PolicyState): { before: PolicyState; notes: readonly string[] } {
  const { kind } = item.target;
  const declared = item.declared
    .map((resource) => declaredPolicy(resource, "policy", "state"))
    .find((policy) => policy !== undefined);
  // Showing what the platform has would reveal what the program hides.
  if (declared && "unknown" in declared) return { before: declared, notes: [] };
  if (item.declared.some(isHidden)) return { before: hiddenBySecret, notes: [] };
  if ("unknown" in shown) {
    if (!declared) return { before: shown, notes: [] };
    return { before: declared, notes: [`as the last "pulumi up" has set it: ${shown.unknown}`] };
  }
  const { elements } = shown;
  const isDeclared =
    (!declared || isRewritten(elements, declared.elements, allOf[kind])) &&
    item.declared.filter(isGrant).every((resource) => holds(elements, resource, kind));
  const drifted =
    'the policy on the platform is not what the stack declares; "dataplatform drift" shows the difference';
  return { before: shown, notes: [...(shown.notes ?? []), ...(isDeclared ? [] : [drifted])] };
}

/** The stack's own groups. Those of an explicit provider may have the ids of others. */
function namesIn(state: readonly StateResource[]): [Id, string][] {
  return managedResources(state)
    .filter(({ type, provider, id }) => type === "Group" && provider === undefined && id !== "")
    .flatMap(({ id, state: { name }, secretNames }) =>
      typeof name === "string" && !secretNames.has("name") ? [[asNumber(id), name] as [Id, string]] : [],
    );
}

/** One account for each client, with the users and groups that its policies name. */
async function accountsOf(
  examined: readonly (Examined & { client?: Client })[],
  known: { readonly progress: StatusLine; readonly groupNames: GroupNames },
): Promise<readonly Account[]> {
  const accounts: Account[] = [];
  for (const client of new Set(examined.map((one) => one.client))) {
    const own = examined.filter((one) => one.client === client);
    const policies = own.flatMap(({ before, after }) => [before, after]);
    const elements = policies.flatMap((policy) => ("elements" in policy ? policy.elements : []));
    const named = {
      users: [...new Set(listedIn(elements, "svcUsers"))],
      groups: [...new Set(listedIn(elements, "svcGroups"))],
    };
    const read = await readDirectory(client, named, known);
    accounts.push({ address: client?.settings.baseUrl ?? "", examined: own, ...read });
  }
  return accounts;
}
