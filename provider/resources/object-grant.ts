import { z } from "zod";
import { PlatformError } from "../api/errors";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, type Context, defineResource } from "../core/define";
import {
  addGrant,
  changeGrant,
  explainEmpty,
  explainForbidden,
  foreseeGrant,
  type GrantPlace,
  grantKey,
  readGrant,
  removeGrant,
} from "../platform/grants";
import {
  isSpecified,
  objectPolicyKey,
  type PolicySource,
  type SourceType,
  setPolicy,
  sourceTypes,
  typesOf,
  viewPolicy,
} from "../platform/object-policies";
import type { Grant } from "../values/grant";
import {
  actionList,
  adoptInput,
  grantRules,
  principalId,
  principalInputs,
  sameActions,
  splitGrantId,
} from "../values/grant-inputs";
import { sameId, textId } from "../values/id";
import { allOfObjects, objectAction, type objectActions } from "../values/policy";

const actions = actionList(objectAction);

export const objectGrant = defineResource({
  type: "ObjectGrant",
  doc: `What one user or one group may do with a notebook, a cluster, a scheduler or, with the extended API, a package environment, without managing the rest of the object's policy.

The grant is merged into the object's policy as elements of its own, and taken out again by destroy. All other elements stay as they are, so several resources, stacks and people can grant something on one object. To manage the whole policy, use \`ObjectPolicy\`. The two do not go together: in one program that is an error, and in two stacks \`ObjectPolicy\` removes the grant at its next \`up\`.

The grant stands before elements that may deny what it allows, or allow what it denies. It is not added to the deny-all element with which policies from the user interface end; to deny everything else, add \`deny: ["all"]\`. An element that names the same user or group together with others is left alone; if it contradicts the grant, there is a warning.

The API writes a policy as a whole, and without conditions. So the provider reads the policy, merges the grant, writes, and reads again; if another writer was faster, it tries again. Grants of one run on one object are written together. What remains: if two stacks, or a stack and a person, change the policy of one object in the same moment, the later write can undo the earlier one. The next \`pulumi refresh\` notices that a grant is missing, and \`pulumi up\` adds it again; a change that a person made in the user interface must be made again by hand.`,
  inputs: z.object({
    sourceType: z
      .enum(sourceTypes)
      .meta({ schemaName: "ObjectSourceType" })
      .describe(
        "Type of the object: `note` (a notebook), `cluster`, `scheduler` or `environment` (a package environment). An `environment` needs the extended API.",
      ),
    sourceId: textId.describe("Id of the object."),
    ...principalInputs,
    allow: actions.describe(
      "Actions to allow: `read` (view), `update` (edit), `delete`, `manage` (manage permissions), `all` (view, edit and delete). Set `allow`, `deny` or both.",
    ),
    deny: actions.describe(
      'Actions to deny, as in `allow`. An action that is named in one list is an exception from `all` in the other: `allow: ["all"]` with `deny: ["delete"]` is written as `read` and `update` allowed, and `delete` denied.',
    ),
    adopt: adoptInput,
  }),
  outputs: z.object({
    namedBefore: z
      .boolean()
      .optional()
      .describe(
        "Whether other elements of the policy named the user or group before the grant, or at import. If so, destroy leaves such elements alone.",
      ),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "`sourceType/sourceId/user:ID` or `sourceType/sourceId/group:ID`",
    example: "note/501/user:104",
    note: "Takes over the elements that name this user or group alone, and that list their actions.",
  },
  replaceOn: ["sourceType", "sourceId", "user", "group"],
  deleteBeforeReplace: true,
  keys: {
    property: "sourceId",
    of: (known) => (isComplete(known) ? [grantKey(nameOf(known), known)] : []),
    sharedBy: (known) => (isComplete(known) ? [objectPolicyKey(known)] : []),
  },
  settledOutputs: ["namedBefore", "accountId"],
  neverDefault: ["allow", "deny"],
  secrets: [],
  limits: {
    refresh:
      "What the policy says about this user or group alone. A grant that the platform has rewritten, or merged with others of the same actions, is not drift. If the whole policy is empty, the next `up` adds the grant again. If the token may not view the policy, the state is kept, with a warning.",
    destroy:
      "Takes the grant out of the policy. What somebody else has granted the same user or group since stays, with a warning. If the object itself is gone, destroy does nothing.",
  },
  same: { sourceId: sameId, user: sameId, group: sameId, allow: sameActions, deny: sameActions },
  rules: grantRules,

  fromId: (id) => inputsIn(id, typesOf(false)),

  async create(context, { adopt = false, ...inputs }) {
    const id = `${nameOf(inputs)}/${principalId(inputs)}`;
    return { id, ...(await addGrant(context, { id, place: placeOf(inputs), grant: inputs }, adopt)) };
  },

  async read(context, _id, state) {
    const source = { sourceType: state.sourceType!, sourceId: state.sourceId! };
    return (await readGrant(context, { place: placeOf(source), grant: state })) as ShownGrant | undefined;
  },

  async update(context, id, old, inputs) {
    await changeGrant(context, { id, place: placeOf(inputs), grant: inputs }, old);
    return {};
  },

  async delete(context, id, state) {
    if (isSpecified(state.sourceType)) await remove(context, id, state);
  },

  kept: (id, { sourceType }) =>
    isSpecified(sourceType)
      ? ""
      : `the grant ${id} stays on the platform: changing the policy of an environment needs the extended API, so set dataplatform:extendedApi to true before destroy`,

  async foresee(context, { old, inputs }) {
    if (isComplete(inputs) && (inputs.allow || inputs.deny))
      await foreseeGrant(
        context,
        { place: placeOf(inputs), grant: inputs },
        { isNew: !old && !context.run.isOwned(grantKey(nameOf(inputs), inputs)), adopt: inputs.adopt ?? false },
      );
  },

  extended: {
    limits: {},
    onlyWith: ({ sourceType }) => (sourceType && !isSpecified(sourceType) ? ["sourceType"] : []),
    fromId: (id) => inputsIn(id, typesOf(true)),
    delete: remove,
    kept: () => "",
  },
});

type Action = (typeof objectActions)[number];
interface ShownGrant {
  allow?: Action[];
  deny?: Action[];
  namedBefore?: boolean;
}

type Complete = PolicySource & Grant;

function isComplete(known: Partial<Complete>): known is Complete {
  const { sourceType, sourceId, user, group } = known;
  return sourceType !== undefined && sourceId !== undefined && (user !== undefined || group !== undefined);
}

function nameOf({ sourceType, sourceId }: PolicySource): string {
  return `${sourceType}/${sourceId}`;
}

function placeOf({ sourceType, sourceId }: PolicySource): GrantPlace {
  const source = { sourceType, sourceId };
  return {
    name: objectPolicyKey(source),
    all: allOfObjects,
    async read(api) {
      try {
        return await viewPolicy(api, source);
      } catch (error) {
        // Some platforms answer "not found" for an object without a policy. Setting one tells whether there is an object.
        if (await saysItIsGone(api, error)) return "absent";
        throw explainForbidden(error);
      }
    },
    write: (api, policy) =>
      setPolicy(api, source, policy).catch((error: unknown) => {
        throw explainEmpty(policy, error);
      }),
  };
}

interface Removable extends Complete {
  readonly namedBefore?: boolean | undefined;
}

async function remove(context: Context, id: string, state: Removable): Promise<void> {
  const { api, log, run } = context;
  const owner = run.keeperOf(objectPolicyKey(state));
  if (owner) return log.info(`the grant ${id} is not taken out, because ${owner} now manages the whole policy`);
  try {
    await removeGrant(context, { place: placeOf(state), grant: state }, state);
  } catch (error) {
    if (!(await saysItIsGone(api, error))) throw error;
  }
}

function inputsIn(id: string, types: readonly SourceType[]) {
  const { place = "", principal } = splitGrantId(id) ?? {};
  const [, type, sourceId] = /^(\w+)\/(\S+)$/.exec(place) ?? [];
  const sourceType = types.find((known) => known === type);
  if (sourceType && sourceId && principal) return { sourceType, sourceId, ...principal };
  throw new PlatformError(
    `${JSON.stringify(id)} is not an object grant id; expected sourceType/sourceId/user:ID or sourceType/sourceId/group:ID, such as note/501/user:104, with one of ${types.join(", ")}`,
    { code: "rejected" },
  );
}
