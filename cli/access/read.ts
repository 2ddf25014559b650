import type { Client } from "../../provider/api/client";
import type { Context } from "../../provider/core/define";
import { lookAtFolderPolicy, type PolicyFolder } from "../../provider/platform/policies/folders";
import { viewPolicy } from "../../provider/platform/policies/objects";
import { ifAboutOneThing, reading } from "../platform/reading";
import { elementsIn, type PolicyState, unknownConditions } from "./policy";
import { type Target, titleOf } from "./target";

/** The policy that the platform shows, or why it does not. */
export async function readPolicy(client: Client, target: Target): Promise<PolicyState> {
  const notes: string[] = [];
  return reading<PolicyState>(client, titleOf(target), notes, (context) =>
    target.kind === "object" ? readObject(context, target) : readFolder(context, target, notes),
  ).catch(ifAboutOneThing((unknown) => ({ unknown })));
}

async function readObject({ api }: Context, { type, id }: Target): Promise<PolicyState> {
  return shown(await viewPolicy(api, { sourceType: type, sourceId: id }));
}

export const absentFolder = "the platform shows no policy of it: it has none, or there is no such folder";

async function readFolder(context: Context, { type, id, name }: Target, notes: string[]): Promise<PolicyState> {
  if (!context.api.settings.extendedApi)
    return { unknown: "the API cannot show the policy of a folder; the extended API can (dataplatform:extendedApi)" };
  const folder = { type: type as PolicyFolder["type"], location: id, name };
  const found = await lookAtFolderPolicy(context, folder);
  if (found === "unknown")
    return { unknown: notes.join("; ") || "this installation does not show the policy of a folder" };
  if (found === "absent") return { elements: [], from: "platform", notes: [absentFolder], isAbsent: true };
  return shown(found);
}

function shown(policy: readonly object[]): PolicyState {
  const elements = elementsIn(policy);
  if (!elements) return { unknown: "the platform's response is not a list of policy elements" };
  return { elements, from: "platform", notes: unknownConditions(policy) };
}
