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
  doc: `The access policy of a notebook or dashboard folder.

A folder has one policy, and this resource manages all of it: it overwrites what others set. The API cannot show the policy of a folder, so destroy cannot restore the previous one: choose with \`onDestroy\` what destroy leaves behind.

If the folder is a \`Folder\` resource in the same program, pass its \`currentLocation\` as \`location\`.`,
  inputs: z.object({
    type: folderType,
    location: folderLocation.describe("Current location of the folder, such as `Common/reports`."),
    policy: folderPolicyElements.describe(
      "Policy elements, in the order they are sent. The order of actions and ids within an element does not matter.",
    ),
    name: z
      .string()
      .min(1, "is empty; omit it instead")
      .optional()
      .describe("Name of the folder. It is sent with the policy; the API's manual shows it only in examples."),
    onDestroy: z
      .enum(["keep", "clear", "set"])
      .optional()
      .describe(
        "What destroy does: `keep` leaves the policy as it is, with a warning, `clear` sets an empty policy, `set` sets `destroyPolicy`. Default: `keep`.",
      ),
    destroyPolicy: folderPolicyElements
      .optional()
      .describe('Policy that destroy sets. Required with `onDestroy: "set"`, and not allowed otherwise.'),
  }),
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "`type/location`",
    example: "notes/Common/reports",
    note: "The API cannot show the policy: the one in the program is assumed to be correct, and nothing is sent until it changes.",
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
      "Leaves the policy as it is, with a warning (`onDestroy: keep`), sets an empty one (`clear`), or sets `destroyPolicy` (`set`). If the folder no longer exists, destroy does nothing.",
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
    ...adviceOn(destroyPolicy, `the destroyPolicy of folder ${location ?? ""}`.trimEnd()),
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
        `folder ${id} no longer exists, so its policy was not changed; if the folder was moved or renamed, it keeps its policy`,
      );
    }
  },

  kept: (id, { onDestroy = "keep" }) =>
    onDestroy === "keep" ? `the policy of folder ${id} stays on the platform as last set (onDestroy is "keep")` : "",
});

/** `/Common/reports/` and `Common/reports` are the same folder. */
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
