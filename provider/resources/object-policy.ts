import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError, saysItIsGone } from "../api/errors";
import { operations } from "../api/operations";
import { defineResource, PartialSuccess } from "../core/define";
import {
  encodePolicy,
  foundPolicy,
  objectPolicyElements,
  type Policy,
  policyAdvice,
  samePolicy,
  shownPolicy,
} from "../values/policy";

const sourceTypes = ["note", "cluster", "scheduler"] as const;

interface Source {
  readonly sourceType: (typeof sourceTypes)[number];
  readonly sourceId: string;
}

export const objectPolicy = defineResource({
  type: "ObjectPolicy",
  doc: `The policy of a notebook, a cluster or a scheduler: who may do what with it.

An object has one policy, and this resource is the whole of it: what others set is overwritten, and two stacks that declare the policy of one object overwrite each other. Declare it in one of them. The policy found at the first \`up\` is remembered in \`originalPolicy\` and put back by destroy.

\`all\` has the lowest priority: \`read\`, \`update\` and \`delete\` go before it. A user who is explicitly allowed is allowed even when a group of that user is restricted, and the other way round. A policy that ends with a deny-all element for the users and groups it lists matches what the user interface makes; one that does not is legal and gives a warning. \`explain\` answers what a policy means for a user.`,
  inputs: z.object({
    sourceType: z
      .enum(sourceTypes)
      .describe(
        "What the object is: `note` (a notebook), `cluster` or `scheduler`. The API can show the policy of an `environment`, but not set it.",
      ),
    sourceId: z
      .string()
      .regex(/^\S+$/, "must be the object's id, without spaces")
      .describe("Id of the object, as text."),
    policy: objectPolicyElements.describe(
      "Elements in the order in which they are sent. The order of actions and ids within an element means nothing.",
    ),
    onDestroy: z
      .enum(["restore", "clear", "keep"])
      .optional()
      .describe(
        "What destroy does: `restore` puts the policy back that was found, `clear` sets a policy without elements, `keep` leaves the policy as it is. Default: `restore`.",
      ),
  }),
  outputs: z.object({
    originalPolicy: foundPolicy.describe(
      "The policy found when the resource was made, or at its import. Empty if the object had none.",
    ),
  }),
  importId: {
    format: "`sourceType/sourceId`",
    example: "note/501",
    note: "The policy found at the import counts as the original one, which destroy puts back.",
  },
  replaceOn: ["sourceType", "sourceId"],
  deleteBeforeReplace: true,
  settledOutputs: ["originalPolicy"],
  secrets: [],
  limits: {
    destroy:
      "Puts the policy back that was found (`onDestroy: restore`), sets one without elements (`clear`), or leaves it (`keep`). A policy that somebody else has set since is left, with a warning. If the object itself is gone, there is nothing to do.",
  },
  same: { policy: samePolicy },
  advise: ({ sourceType, sourceId, policy }) =>
    policy ? policyAdvice(policy, `the policy of ${sourceType ?? "object"} ${sourceId ?? ""}`.trimEnd()) : [],

  fromId(id) {
    const [, type, sourceId] = /^(\w+)\/(\S+)$/.exec(id) ?? [];
    const sourceType = sourceTypes.find((known) => known === type);
    if (!sourceType || !sourceId)
      throw new PlatformError(
        `${JSON.stringify(id)} is no id of an object policy; it is sourceType/sourceId, such as note/501, with one of ${sourceTypes.join(", ")}`,
        { code: "rejected" },
      );
    return { sourceType, sourceId };
  },

  async create({ api, log }, { sourceType, sourceId, policy }) {
    const id = `${sourceType}/${sourceId}`;
    const originalPolicy = await view(api, { sourceType, sourceId });
    if (samePolicy(originalPolicy, policy))
      log.warn(
        `${id} has this policy already, so it counts as the one found, which destroy leaves. If an interrupted run has set it, what was there before is not known any more`,
      );
    try {
      await set(api, { sourceType, sourceId }, policy);
    } catch (error) {
      // It may have been set after all: without the original in the state, the next try would remember ours.
      if (leavesOutcomeOpen(error)) throw new PartialSuccess(id, { originalPolicy }, error as Error);
      throw error;
    }
    return { id, originalPolicy };
  },

  async read({ api }, _id, { sourceType, sourceId, originalPolicy }) {
    try {
      const policy = await view(api, { sourceType: sourceType!, sourceId: sourceId! });
      return { policy, originalPolicy: originalPolicy ?? policy };
    } catch (error) {
      if (saysItIsGone(error)) return undefined;
      throw error;
    }
  },

  async update({ api }, _id, _old, { policy, ...source }) {
    await set(api, source, policy);
    return {};
  },

  async delete({ api, log }, id, { onDestroy = "restore", policy, originalPolicy, ...source }) {
    if (onDestroy === "keep") return;
    try {
      const left = onDestroy === "clear" ? [] : originalPolicy;
      const now = await view(api, source);
      if (samePolicy(now, policy)) await set(api, source, left);
      // Another stack, or a person, has set it since: an old policy over theirs would take away what they declared.
      else if (!samePolicy(now, left))
        log.warn(
          `the policy of ${id} is not the one that was set here: somebody else has changed it since, so it is left as it is. To have it replaced all the same, run "pulumi refresh" before`,
        );
    } catch (error) {
      if (!isPlatformError(error, "not-found")) throw error;
    }
  },

  kept: (id, { onDestroy }) =>
    onDestroy === "keep" ? `the policy of ${id} stays on the platform as it was set last (onDestroy is "keep")` : "",
});

function view(api: Client, { sourceType, sourceId }: Source) {
  return api.call(operations.viewObjectPolicy, {
    body: { source_id: sourceId, source_type: sourceType },
    answer: shownPolicy,
  });
}

function set(api: Client, { sourceType, sourceId }: Source, policy: Policy): Promise<unknown> {
  return api.call(operations.setObjectPolicy, {
    body: { source_id: sourceId, source_type: sourceType, policy: encodePolicy(policy) },
    answer: z.unknown(),
  });
}
