import { z } from "zod";
import { PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, type Context, defineResource } from "../core/define";
import { folderPolicyKey, lookAtFolderPolicy, type PolicyFolder, setFolderPolicy } from "../platform/folder-policies";
import {
  addGrant,
  changeGrant,
  explainEmpty,
  foreseeGrant,
  type GrantPlace,
  grantKey,
  readGrant,
  removeGrant,
} from "../platform/grants";
import { folderLocation, folderType, folderTypes, locationAdvice } from "../values/folder";
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
import { sameId } from "../values/id";
import { allOfFolders, folderActionAdvice } from "../values/policy";

const actions = actionList(z.string().min(1, "is empty; expected an action"));

export const folderGrant = defineResource({
  type: "FolderGrant",
  doc: `What one user or one group may do with a notebook or dashboard folder, without managing the rest of the folder's policy.

The grant is merged into the folder's policy as elements of its own, and taken out again by destroy. All other elements stay as they are, so several resources, stacks and people can grant something on one folder. That needs to read the policy, which only the extended API can. To manage the whole policy, use \`FolderPolicy\`. The two do not go together: in one program that is an error, and in two stacks \`FolderPolicy\` removes the grant when it next sets its policy.

The grant stands before elements that may deny what it allows, or allow what it denies. It is not added to a deny-all element at the end of the policy; to deny everything else, add \`deny: ["all"]\`. An element that names the same user or group together with others is left alone; if it contradicts the grant, there is a warning.

The API writes a policy as a whole, and without conditions. So the provider reads the policy, merges the grant, writes, and reads again; if another writer was faster, it tries again. Grants of one run on one folder are written together. What remains: if two stacks, or a stack and a person, change the policy of one folder in the same moment, the later write can undo the earlier one. The next \`pulumi refresh\` notices that a grant is missing, and \`pulumi up\` adds it again; a change that a person made in the user interface must be made again by hand.

If the folder is a \`Folder\` resource in the same program, pass its \`currentLocation\` as \`location\`.`,
  needsExtendedApi: true,
  inputs: z.object({
    type: folderType,
    location: folderLocation.describe("Current location of the folder, such as `Common/reports`."),
    ...principalInputs,
    allow: actions.describe(
      "Actions to allow. Known values are `read`, `write` and `all`; others are sent unchanged, with a warning. Set `allow`, `deny` or both.",
    ),
    deny: actions.describe(
      "Actions to deny, as in `allow`. An action that is named in one list is an exception from `all` in the other.",
    ),
    name: z
      .string()
      .min(1, "is empty; omit it instead")
      .optional()
      .describe("Name of the folder. It is sent with the policy; the API's manual shows it only in examples."),
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
    format: "`type/location/user:ID` or `type/location/group:ID`",
    example: "notes/Common/reports/group:204",
    note: "Takes over the elements that name this user or group alone, and that list their actions.",
  },
  replaceOn: ["type", "location", "user", "group"],
  deleteBeforeReplace: true,
  keys: {
    property: "location",
    of: (known) => (isComplete(known) ? [keyOf(known)] : []),
    sharedBy: (known) => (isComplete(known) ? [folderPolicyKey(known)] : []),
  },
  settledOutputs: ["namedBefore", "accountId"],
  neverDefault: ["allow", "deny"],
  secrets: [],
  limits: {
    refresh:
      "What the policy says about this user or group alone. A grant that the platform has rewritten, or merged with others of the same actions, is not drift. If the whole policy is empty, the next `up` adds the grant again. Where the installation cannot show the policy, the state is kept, with a warning.",
    destroy:
      "Takes the grant out of the policy. What somebody else has granted the same user or group since stays, with a warning. If the folder no longer exists, destroy does nothing.",
  },
  same: { user: sameId, group: sameId, allow: sameActions, deny: sameActions },
  rules: grantRules,
  advise: ({ location, allow = [], deny = [] }) => [
    ...locationAdvice(location),
    ...folderActionAdvice(
      [{ access: "allow", action: [...allow, ...deny] }],
      `the grant on folder ${location ?? ""}`.trimEnd(),
    ),
  ],

  fromId(id) {
    const { place = "", principal } = splitGrantId(id) ?? {};
    const [, kind, location] = /^(\w+)\/(.*[^/].*)$/s.exec(place) ?? [];
    const type = folderTypes.find((known) => known === kind);
    if (type && location && principal) return { type, location, ...principal };
    throw new PlatformError(
      `${JSON.stringify(id)} is not a folder grant id; expected type/location/user:ID or type/location/group:ID, such as notes/Common/reports/group:204, with one of ${folderTypes.join(", ")}`,
      { code: "rejected" },
    );
  },

  async create(context, { adopt = false, ...inputs }) {
    const id = `${inputs.type}/${inputs.location}/${principalId(inputs)}`;
    return { id, ...(await addGrant(context, { id, place: placeOf(context, inputs), grant: inputs }, adopt)) };
  },

  async read(context, _id, state) {
    const folder = { type: state.type!, location: state.location!, name: state.name };
    try {
      return (await readGrant(context, { place: placeOf(context, folder), grant: state })) as ShownGrant | undefined;
    } catch (error) {
      const isImport = !state.allow && !state.deny;
      if (!(error instanceof NotShown) || isImport) throw error;
      return {};
    }
  },

  async update(context, id, old, inputs) {
    await changeGrant(context, { id, place: placeOf(context, inputs), grant: inputs }, old);
    return {};
  },

  async delete(context, id, state) {
    const { api, log, run } = context;
    const owner = run.keeperOf(folderPolicyKey(state));
    if (owner) return log.info(`the grant ${id} is not taken out, because ${owner} now manages the whole policy`);
    const gone = async (error: unknown) => {
      if (!(await saysItIsGone(api, error))) throw error;
      return { wasEmpty: true };
    };
    const place = placeOf(context, state);
    const { wasEmpty } = await removeGrant(context, { place, grant: state }, state).catch(gone);
    if (wasEmpty)
      log.warn(
        `folder ${nameOf(state)} no longer exists, or its policy is empty, so no grant was taken out; if the folder was moved or renamed, its policy still has the grant`,
      );
  },

  async foresee(context, { old, inputs }) {
    if (isComplete(inputs) && (inputs.allow || inputs.deny))
      await foreseeGrant(
        context,
        { place: placeOf(context, inputs), grant: inputs },
        { isNew: !old && !context.run.isOwned(keyOf(inputs)), adopt: inputs.adopt ?? false },
      );
  },
});

interface ShownGrant {
  allow?: string[];
  deny?: string[];
  namedBefore?: boolean;
}

type Complete = Pick<PolicyFolder, "type" | "location"> & Grant;

function isComplete<K extends Partial<Complete>>(known: K): known is K & Complete {
  const { type, location, user, group } = known;
  return type !== undefined && location !== undefined && (user !== undefined || group !== undefined);
}

function nameOf({ type, location }: Pick<PolicyFolder, "type" | "location">): string {
  return `${type}/${location.replace(/^\/+|\/+$/g, "")}`;
}

function keyOf(known: Complete): string {
  return grantKey(`folder ${nameOf(known)}`, known);
}

function placeOf(context: Context, { type, location, name }: PolicyFolder): GrantPlace {
  const folder = { type, location, name };
  return {
    name: folderPolicyKey(folder),
    all: allOfFolders,
    async read(api) {
      const found = await lookAtFolderPolicy({ ...context, api }, folder);
      if (found === "unknown") throw new NotShown(folder);
      return found;
    },
    write: (api, policy) =>
      setFolderPolicy(api, folder, policy).catch((error: unknown) => {
        throw explainEmpty(policy, error);
      }),
  };
}

/** The installation cannot show the policy. */
class NotShown extends PlatformError {
  constructor({ type, location }: PolicyFolder) {
    super(
      `could not read the policy of folder ${type}/${location}, into which the grant is merged: this installation of the platform does not allow viewing it. Nothing was changed; use FolderPolicy, which needs no view`,
      { code: "rejected", outcome: "not-sent", operation: extendedOperations.viewFolderPolicy.does },
    );
  }
}
