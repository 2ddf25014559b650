import type { Client } from "../../provider/api/client";
import type { Context } from "../../provider/core/define";
import { lookAtFolderPolicy, type PolicyFolder } from "../../provider/platform/policies/folders";
import { viewPolicy } from "../../provider/platform/policies/objects";
import { ifAboutOneThing, reading } from "../platform/connect";
import { elementsIn, type PolicyState, unknownConditions } from "./policy";
import { type Item, type Target, titleOf } from "./target";

/** The policy that the platform shows, or why it does not. */
export async function readPolicy(client: Client, item: Item): Promise<PolicyState> {
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

function shown(policy: readonly object[]): PolicyState {
  const elements = elementsIn(policy);
  if (!elements) return { unknown: "the platform's response is not a list of policy elements" };
  return { elements, from: "platform", notes: unknownConditions(policy) };
}
