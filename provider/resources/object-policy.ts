import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, type Context, defineResource, keepIfOpen } from "../core/define";
import { restorePolicy, setOrClear, visiblePolicy, warnIfAlreadySet } from "../platform/managed-policies";
import {
  isSpecified,
  objectPolicyKey,
  type SourceType,
  setPolicy,
  sourceTypes,
  typesOf,
  viewPolicy,
} from "../platform/object-policies";
import { type Id, sameId, textId } from "../values/id";
import { objectPolicyElements, type Policy, policyAdvice, returnedPolicy, samePolicy } from "../values/policy";

interface Source {
  readonly sourceType: SourceType;
  readonly sourceId: Id;
}

export const objectPolicy = defineResource({
  type: "ObjectPolicy",
  doc: `The access policy of a notebook, a cluster, a scheduler or, with the extended API, a package environment.

An object has one policy, and this resource manages all of it: it overwrites what others set, and two stacks that declare a policy for the same object overwrite each other, so declare it in one of them. To grant something on an object without managing the rest of its policy, use \`ObjectGrant\`, but not for the same object: this resource removes the grants of other stacks at its next \`up\`, and in one program the two are an error. The policy found at the first \`up\` is saved in \`originalPolicy\` and restored by destroy. That needs permission to view the policy; \`onDestroy: "clear"\` and \`"keep"\` do not.

\`all\` has the lowest priority: \`read\`, \`update\` and \`delete\` override it. A user who is explicitly allowed is allowed even if one of the user's groups is denied, and vice versa. Policies created in the user interface end with a deny-all element for the users and groups they list; a policy without one is valid but causes a warning. \`explain\` shows what a policy means for a user.`,
  inputs: z.object({
    sourceType: z
      .enum(sourceTypes)
      .meta({ schemaName: "ObjectSourceType" })
      .describe(
        "Type of the object: `note` (a notebook), `cluster`, `scheduler` or `environment` (a package environment). The specified API cannot set the policy of an `environment`: that needs the extended API.",
      ),
    sourceId: textId.describe("Id of the object."),
    policy: objectPolicyElements.describe(
      "Policy elements, in the order they are sent. The order of actions and ids within an element does not matter.",
    ),
    onDestroy: z
      .enum(["restore", "clear", "keep"])
      .optional()
      .describe(
        "What destroy does: `restore` restores the original policy, `clear` sets an empty policy, `keep` leaves the policy as it is. Default: `restore`.",
      ),
  }),
  outputs: z.object({
    originalPolicy: returnedPolicy.describe(
      "Policy of the object before this resource was created, or at import. Empty if the object had none, absent if it was not read.",
    ),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`sourceType/sourceId`",
    example: "note/501",
    note: "The policy at the time of the import becomes the original policy, which destroy restores.",
  },
  replaceOn: ["sourceType", "sourceId"],
  deleteBeforeReplace: true,
  keys: {
    property: "sourceId",
    of: ({ sourceType, sourceId }) =>
      sourceType === undefined || sourceId === undefined ? [] : [objectPolicyKey({ sourceType, sourceId })],
    knowledgeIn: ({ originalPolicy }) => originalPolicy,
  },
  settledOutputs: ["originalPolicy", "accountId"],
  secrets: [],
  limits: {
    destroy:
      "Restores the original policy (`onDestroy: restore`), sets an empty one (`clear`), or leaves it as it is (`keep`). If somebody else has changed the policy since, `restore` leaves it alone, with a warning. If the object itself is gone, destroy does nothing.",
  },
  same: { policy: samePolicy, sourceId: sameId },
  advise: ({ sourceType, sourceId, policy }) =>
    policy ? policyAdvice(policy, `the policy of ${sourceType ?? "object"} ${sourceId ?? ""}`.trimEnd()) : [],

  fromId: (id) => sourceIn(id, typesOf(false)),

  async create({ api, log, run }, { sourceType, sourceId, policy, onDestroy = "restore" }) {
    const id = `${sourceType}/${sourceId}`;
    const source = { sourceType, sourceId };
    // If another resource gives up the object in this run, the current policy is its own, and it knows the original one.
    const inherited = run.knowledgeOf(objectPolicyKey(source)) as Policy | undefined;
    const originalPolicy = onDestroy === "restore" ? (inherited ?? (await readOriginal(api, source))) : undefined;
    warnIfAlreadySet({ of: id, log, policy, originalPolicy });
    // Keep the original in the state, or a retry would save our own policy as the original.
    const outputs = { originalPolicy: originalPolicy as z.output<typeof returnedPolicy> };
    await keepIfOpen(id, outputs, () => setPolicy(api, source, policy));
    return { id, ...outputs };
  },

  async read({ api }, _id, { sourceType, sourceId, ...recorded }) {
    try {
      return visiblePolicy(await viewPolicy(api, { sourceType: sourceType!, sourceId: sourceId! }), recorded);
    } catch (error) {
      if (await saysItIsGone(api, error)) return undefined;
      throw error;
    }
  },

  async update({ api }, id, _old, { policy, ...source }) {
    await keepIfOpen(id, {}, () => setPolicy(api, source, policy));
    return {};
  },

  async delete(context, id, state) {
    if (isSpecified(state.sourceType)) await undo(context, id, state);
  },

  kept(id, { onDestroy, sourceType }) {
    if (onDestroy === "keep") return staysAsSet(id);
    return isSpecified(sourceType)
      ? ""
      : `the policy of ${id} stays on the platform as last set: changing that of an environment needs the extended API, so set dataplatform:extendedApi to true before destroy`;
  },

  extended: {
    limits: {},
    onlyWith: ({ sourceType }) => (sourceType && !isSpecified(sourceType) ? ["sourceType"] : []),
    fromId: (id) => sourceIn(id, typesOf(true)),
    delete: undo,
    kept: (id, { onDestroy }) => (onDestroy === "keep" ? staysAsSet(id) : ""),
  },
});

function sourceIn(id: string, types: readonly SourceType[]): Source {
  const [, type, sourceId] = /^(\w+)\/(\S+)$/.exec(id) ?? [];
  const sourceType = types.find((known) => known === type);
  if (sourceType && sourceId) return { sourceType, sourceId };
  throw new PlatformError(
    `${JSON.stringify(id)} is not an object policy id; expected sourceType/sourceId, such as note/501, with one of ${types.join(", ")}`,
    { code: "rejected" },
  );
}

function staysAsSet(id: string): string {
  return `the policy of ${id} stays on the platform as last set (onDestroy is "keep")`;
}

interface Undoable extends Source {
  readonly onDestroy?: "restore" | "clear" | "keep" | undefined;
  readonly policy: Policy;
  readonly originalPolicy?: Policy | undefined;
}

/** What destroy does. If the object is gone, there is nothing left to do. */
async function undo({ api, log, run }: Context, id: string, state: Undoable): Promise<void> {
  const { onDestroy = "restore", policy, originalPolicy, ...source } = state;
  if (onDestroy === "keep") return;
  const sharer = run.sharerOf(objectPolicyKey(source));
  if (sharer) return log.warn(`the policy of ${id} stays as last set, because ${sharer} now adds to it`);
  const managed = { of: id, log, policy, originalPolicy, set: (wanted: Policy) => setPolicy(api, source, wanted) };
  try {
    if (onDestroy === "clear") await setOrClear(managed, []);
    else await restorePolicy(managed, () => viewPolicy(api, source));
  } catch (error) {
    if (!(await saysItIsGone(api, error))) throw error;
  }
}

/** Empty for an object without a policy: some platforms answer "not found", others an empty policy. */
async function readOriginal(api: Client, source: Source): Promise<Policy> {
  try {
    return await viewPolicy(api, source);
  } catch (error) {
    if (isPlatformError(error, "not-found") && error.fromPlatform) return [];
    if (!isPlatformError(error, "forbidden")) throw error;
    throw error.with(
      `${error.message}. It is needed to save the policy that destroy restores; to do without, set onDestroy to "clear" or "keep"`,
    );
  }
}
