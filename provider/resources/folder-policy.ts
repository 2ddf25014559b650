import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, defineResource, keepIfOpen } from "../core/define";
import { folderLocation, folderType, folderTypes } from "../values/folder";
import {
  encodePolicy,
  folderActionAdvice,
  folderPolicyElements,
  type Policy,
  policyAdvice,
  samePolicy,
} from "../values/policy";

interface Target {
  readonly type: (typeof folderTypes)[number];
  readonly location: string;
  readonly name?: string | undefined;
}

export const folderPolicy = defineResource({
  type: "FolderPolicy",
  doc: `The access policy of a notebook or dashboard folder: who may do what in it.

A folder has one policy, and this resource is the whole of it: what others set is overwritten. The API cannot show the policy of a folder, so what was there before cannot be put back: say with \`onDestroy\` what destroy shall leave behind.

If the folder is a \`Folder\` of the same program, give its \`currentLocation\` as \`location\`.`,
  inputs: z.object({
    type: folderType,
    location: folderLocation.describe("Where the folder is now, such as `Common/reports`."),
    policy: folderPolicyElements.describe(
      "Elements in the order in which they are sent. The order of actions and ids within an element means nothing.",
    ),
    name: z
      .string()
      .min(1, "is empty; leave it out instead")
      .optional()
      .describe("Name of the folder, sent along: the API's manual has it in examples only."),
    onDestroy: z
      .enum(["keep", "clear", "set"])
      .optional()
      .describe(
        "What destroy does: `keep` leaves the policy as it is, with a warning, `clear` sets a policy without elements, `set` sets `destroyPolicy`. Default: `keep`.",
      ),
    destroyPolicy: folderPolicyElements
      .optional()
      .describe('The policy that destroy leaves behind. Goes with `onDestroy: "set"`.'),
  }),
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "`type/location`",
    example: "notes/Common/reports",
    note: "The API cannot show the policy: the one of the program is taken as true, and nothing is sent until it changes.",
  },
  replaceOn: ["type", "location"],
  deleteBeforeReplace: true,
  keys: {
    property: "location",
    of: ({ type, location }) =>
      type === undefined || location === undefined ? [] : [`policy of folder ${type}/${withoutSlashes(location)}`],
  },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    refresh: "Nothing: the API cannot show the policy of a folder, so refresh keeps the state as it is.",
    destroy:
      "Leaves the policy as it is, with a warning (`onDestroy: keep`), sets one without elements (`clear`), or sets `destroyPolicy` (`set`). If no folder is there any more, there is nothing to do.",
  },
  same: { policy: samePolicy, destroyPolicy: samePolicy },
  rules({ onDestroy, destroyPolicy }, report, unknown) {
    if (unknown("onDestroy") || unknown("destroyPolicy")) return;
    if (onDestroy === "set" && !destroyPolicy) report("destroyPolicy", 'is required when onDestroy is "set"');
    if (onDestroy !== "set" && destroyPolicy)
      report("destroyPolicy", `is used only when onDestroy is "set", but it is ${JSON.stringify(onDestroy ?? "keep")}`);
  },
  advise: ({ location, policy, destroyPolicy }) => [
    ...adviceOn(policy, `the policy of folder ${location ?? ""}`.trimEnd()),
    ...adviceOn(destroyPolicy, `the policy that destroy leaves on folder ${location ?? ""}`.trimEnd()),
  ],

  fromId(id) {
    const [, kind, location] = /^(\w+)\/(.*[^/].*)$/.exec(id) ?? [];
    const type = folderTypes.find((known) => known === kind);
    if (!type || !location)
      throw new PlatformError(
        `${JSON.stringify(id)} is not a folder policy id; expected type/location, such as notes/Common/reports, with one of ${folderTypes.join(", ")}`,
        { code: "rejected" },
      );
    return { type, location };
  },

  async create({ api }, inputs) {
    const id = `${inputs.type}/${inputs.location}`;
    await keepIfOpen(id, {}, () => set(api, inputs, inputs.policy));
    return { id };
  },

  async update({ api }, id, _old, inputs) {
    await keepIfOpen(id, {}, () => set(api, inputs, inputs.policy));
    return {};
  },

  async delete({ api, log }, id, state) {
    const { onDestroy = "keep", destroyPolicy = [] } = state;
    if (onDestroy === "keep") return;
    try {
      await set(api, state, onDestroy === "clear" ? [] : destroyPolicy);
    } catch (error) {
      if (!(await saysItIsGone(api, error))) throw error;
      log.warn(
        `there is no folder ${id} any more, so there was no policy to change; if it was moved or renamed, its policy went with it and stays as it was`,
      );
    }
  },

  kept: (id, { onDestroy = "keep" }) =>
    onDestroy === "keep" ? `the policy of folder ${id} stays on the platform as it was set last` : "",
});

/** `/Common/reports/` and `Common/reports` are one folder. */
function withoutSlashes(location: string): string {
  return location.replace(/^\/+|\/+$/g, "");
}

function adviceOn(policy: Policy | undefined, whose: string): string[] {
  return policy ? [...policyAdvice(policy, whose), ...folderActionAdvice(policy, whose)] : [];
}

function set(api: Client, { type, location, name }: Target, policy: Policy): Promise<unknown> {
  return api.call(operations.setFolderPolicy, {
    body: { location, source_type: "Folder", type, policy: encodePolicy(policy), name },
    answer: anyAnswer,
  });
}
