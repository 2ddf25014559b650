import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, defineResource, keepIfOpen } from "../core/define";
import { readIfPermitted } from "../core/permitted";
import { viewPolicy } from "../platform/object-policies";
import { type Id, sameId, textId } from "../values/id";
import {
  encodePolicy,
  foundPolicy,
  isRewritten,
  objectPolicyElements,
  type Policy,
  policyAdvice,
  samePolicy,
} from "../values/policy";

const sourceTypes = ["note", "cluster", "scheduler"] as const;

interface Source {
  readonly sourceType: (typeof sourceTypes)[number];
  readonly sourceId: Id;
}

export const objectPolicy = defineResource({
  type: "ObjectPolicy",
  doc: `The policy of a notebook, a cluster or a scheduler: who may do what with it.

An object has one policy, and this resource is the whole of it: what others set is overwritten, and two stacks that declare the policy of one object overwrite each other. Declare it in one of them. The policy found at the first \`up\` is remembered in \`originalPolicy\` and put back by destroy; that takes the permission to view it, which \`onDestroy: "clear"\` and \`"keep"\` do without.

\`all\` has the lowest priority: \`read\`, \`update\` and \`delete\` go before it. A user who is explicitly allowed is allowed even when a group of that user is restricted, and the other way round. A policy that ends with a deny-all element for the users and groups it lists matches what the user interface makes; one that does not is legal and gives a warning. \`explain\` answers what a policy means for a user.`,
  inputs: z.object({
    sourceType: z
      .enum(sourceTypes)
      .describe(
        "What the object is: `note` (a notebook), `cluster` or `scheduler`. The API can show the policy of an `environment`, but not set it.",
      ),
    sourceId: textId.describe("Id of the object."),
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
      "The policy found when the resource was made, or at its import. Empty if the object had none, and absent if it was not looked for.",
    ),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`sourceType/sourceId`",
    example: "note/501",
    note: "The policy found at the import counts as the original one, which destroy puts back.",
  },
  replaceOn: ["sourceType", "sourceId"],
  deleteBeforeReplace: true,
  keys: {
    property: "sourceId",
    of: ({ sourceType, sourceId }) =>
      sourceType === undefined || sourceId === undefined ? [] : [policyKey({ sourceType, sourceId })],
    knowledgeIn: ({ originalPolicy }) => originalPolicy,
  },
  settledOutputs: ["originalPolicy", "accountId"],
  secrets: [],
  limits: {
    destroy:
      "Puts the policy back that was found (`onDestroy: restore`), sets one without elements (`clear`), or leaves it (`keep`). `restore` leaves a policy that somebody else has set since, with a warning. If the object itself is gone, there is nothing to do.",
  },
  same: { policy: samePolicy, sourceId: sameId },
  advise: ({ sourceType, sourceId, policy }) =>
    policy ? policyAdvice(policy, `the policy of ${sourceType ?? "object"} ${sourceId ?? ""}`.trimEnd()) : [],

  fromId(id) {
    const [, type, sourceId] = /^(\w+)\/(\S+)$/.exec(id) ?? [];
    const sourceType = sourceTypes.find((known) => known === type);
    if (!sourceType || !sourceId)
      throw new PlatformError(
        `${JSON.stringify(id)} is not an object policy id; expected sourceType/sourceId, such as note/501, with one of ${sourceTypes.join(", ")}`,
        { code: "rejected" },
      );
    return { sourceType, sourceId };
  },

  async create({ api, log, run }, { sourceType, sourceId, policy, onDestroy = "restore" }) {
    const id = `${sourceType}/${sourceId}`;
    const source = { sourceType, sourceId };
    // Of a resource that gives the object up in the same run, what it found is known; what is there now is its own.
    const before = run.knowledgeOf(policyKey(source)) as Policy | undefined;
    const found = onDestroy === "restore" ? (before ?? (await original(api, source))) : undefined;
    if (found && samePolicy(found, policy))
      log.warn(
        `${id} has this policy already, so it counts as the one found, which destroy leaves. If an interrupted run has set it, or a resource that was renamed without an alias, what was there before is not known any more`,
      );
    // Without the original in the state, a second try would remember our own policy as the one found.
    const outputs = { originalPolicy: found as z.output<typeof foundPolicy> };
    await keepIfOpen(id, outputs, () => set(api, source, policy));
    return { id, ...outputs };
  },

  async read({ api, log }, id, { sourceType, sourceId, originalPolicy, policy: recorded }) {
    const importing = recorded === undefined;
    const look = () => viewPolicy(api, { sourceType: sourceType!, sourceId: sourceId! });
    try {
      const policy = importing ? await look() : await readIfPermitted(log, `the policy of ${id}`, look);
      if (!policy) return {};
      const shown = recorded && isRewritten(policy, recorded) ? recorded : policy;
      const found = importing ? policy : originalPolicy;
      return found ? { policy: shown, originalPolicy: found } : { policy: shown };
    } catch (error) {
      if (await saysItIsGone(api, error)) return undefined;
      throw error;
    }
  },

  async update({ api }, id, _old, { policy, ...source }) {
    await keepIfOpen(id, {}, () => set(api, source, policy));
    return {};
  },

  async delete({ api, log }, id, { onDestroy = "restore", policy, originalPolicy, ...source }) {
    if (onDestroy === "keep") return;
    try {
      if (onDestroy === "clear") await leave(source, []);
      else if (originalPolicy) await restore(source, originalPolicy);
      else log.warn(`the policy of ${id} stays: what was there before it is not known, so nothing can be put back`);
    } catch (error) {
      if (!(await saysItIsGone(api, error))) throw error;
    }

    async function restore(from: Source, left: Policy): Promise<void> {
      const now = await viewPolicy(api, from);
      if (isRewritten(now, policy)) await leave(from, left);
      // Another stack, or a person, has set it since: an old policy over theirs would take away what they declared.
      else if (!isRewritten(now, left))
        log.warn(
          `the policy of ${id} is not the one that was set here: somebody else has changed it since, so it is left as it is. To have it replaced all the same, run "pulumi refresh" before`,
        );
    }

    async function leave(on: Source, left: Policy): Promise<void> {
      if (left.length > 0) return void (await set(api, on, left));
      await set(api, on, []).catch((error: unknown) => {
        throw isPlatformError(error, "rejected") ? error.with(`${error.message}. ${noEmptyPolicy}`) : error;
      });
    }
  },

  kept: (id, { onDestroy }) =>
    onDestroy === "keep" ? `the policy of ${id} stays on the platform as it was set last (onDestroy is "keep")` : "",
});

const noEmptyPolicy =
  'the platform may take no policy without elements; to leave the policy as it is, set onDestroy to "keep" and run "pulumi up" before destroy';

function policyKey({ sourceType, sourceId }: Source): string {
  return `policy of ${sourceType}/${sourceId}`;
}

/** What was there before: nothing, for an object without a policy, however the platform says that. */
async function original(api: Client, source: Source): Promise<Policy> {
  try {
    return await viewPolicy(api, source);
  } catch (error) {
    if (isPlatformError(error, "not-found") && error.fromPlatform) return [];
    if (!isPlatformError(error, "forbidden")) throw error;
    throw error.with(
      `${error.message}. It is needed to remember the policy that destroy restores; to do without, set onDestroy to "clear" or "keep"`,
    );
  }
}

function set(api: Client, { sourceType, sourceId }: Source, policy: Policy): Promise<unknown> {
  return api.call(operations.setObjectPolicy, {
    body: { source_id: String(sourceId), source_type: sourceType, policy: encodePolicy(policy) },
    answer: anyAnswer,
  });
}
