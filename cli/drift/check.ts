import type { Client } from "../../provider/api/client";
import { Clients } from "../../provider/api/clients";
import type { AnyResource } from "../../provider/core/define";
import { Lifecycle } from "../../provider/core/lifecycle";
import { redactor } from "../../provider/core/redact";
import { accountOf } from "../platform/accounts";
import { countOthers, type Managed, managedResources, settingsFinder } from "../pulumi/managed";
import type { StackConfig, StateResource } from "../pulumi/stack";
import { subjectOf } from "../pulumi/subject";
import type { StatusLine } from "../terminal/status-line";
import { compare } from "./compare";
import { Owners } from "./owners";
import { type DriftReport, type ResourceReport, summarise } from "./report";

export interface Stack {
  readonly project: string;
  readonly name: string;
  readonly state: readonly StateResource[];
  readonly config: StackConfig;
}

type Finding = Pick<ResourceReport, "status" | "reason" | "properties" | "repair" | "lost">;

/** Reads every resource of ours from the platform and compares it with what the state says was declared. */
export async function checkDrift(
  stack: Stack,
  { progress, tool }: { readonly progress: StatusLine; readonly tool: string },
): Promise<DriftReport> {
  const managed = managedResources(stack.state);
  const settingsOf = settingsFinder(stack.state, stack.config);
  const clients = new Clients();
  // Found out before anything is asked: settings that are missing are one error, not one per resource.
  const stackSettings = managed.find((resource) => resource.provider === undefined && resource.definition?.read);
  const parallel = stackSettings ? settingsOf(stackSettings).connections : 32;
  const owners = new Owners();
  try {
    const reports = await progress.each("reading resources", managed, parallel, async (resource) => {
      const { urn, type, name, id } = resource;
      const client = () => owners.note(resource, clients.of(settingsOf(resource)));
      // Its record cannot be read, but the state tells whose it is; without settings, nobody has to know.
      if (!resource.definition?.read && accountOf(resource) !== undefined) attempt(client);
      return { urn, type, name, id, ...(await look(resource, client)) };
    });
    const { mismatches, judged } = await owners.judge(reports);
    return {
      format: 1,
      tool,
      project: stack.project,
      stack: stack.name,
      checkedAt: new Date().toISOString(),
      platforms: clients.addresses(),
      otherResources: countOthers(stack.state),
      ...(mismatches.length > 0 ? { accountMismatches: mismatches } : {}),
      ...summarise(judged),
    };
  } finally {
    await clients.close();
  }
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // What is missing is told by the resources that need it.
  }
}

async function look(resource: Managed, client: () => Client): Promise<Finding> {
  const { definition, id, state, type } = resource;
  if (!definition)
    return { status: "error", reason: `this version of pulumi-dataplatform does not know ${type}; update the package` };
  const clean = redactor(...[...resource.secretNames].flatMap((name) => texts(state[name])));
  if (!definition.read)
    return { status: "unverifiable", reason: definition.limits.refresh ?? "The API cannot show it." };
  const warnings: string[] = [];
  try {
    const log = { info: () => {}, warn: (message: string) => void warnings.push(message) };
    let sawNothing = false;
    const watched = watching(definition, (shown) => {
      sawNothing = shown;
    });
    const found = await new Lifecycle(watched, { client, log }).read(id, state);
    if (!found) return { status: "gone", repair: "create", lost: subjectOf(resource) };
    const { properties, replaces } = compare(definition, resource, found.state);
    if (properties.length > 0)
      return { status: "drifted", properties: [...properties], repair: replaces ? "replace" : "update" };
    // A read that keeps the state has not seen what it was looking for; mostly it says why.
    if (warnings.length > 0 || sawNothing)
      return { status: "unverifiable", reason: clean(warnings.join("; ")) || "The platform showed nothing of it." };
    return { status: "as-declared" };
  } catch (error) {
    return { status: "error", reason: clean((error as Error).message) };
  }
}

/** The definition, telling whether what was read holds any property at all. */
function watching(definition: AnyResource, tell: (nothing: boolean) => void): AnyResource {
  const { read } = definition;
  if (!read) return definition;
  return {
    ...definition,
    read: async (...args) => {
      const shown = await read(...args);
      tell(shown !== undefined && Object.keys(shown).length === 0);
      return shown;
    },
  };
}

function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(texts) : [];
}
