import { z } from "zod";
import { anyone } from "../auth";
import { conflict, notFound } from "../errors";
import { policySchema } from "../policy";
import { viewPolicy } from "../policy-view";
import { type Context, defineRoute, type Route } from "../router";
import { folderAt, folderType, relocate, trim } from "../routes/folders";
import { objectPolicyParams, setObjectPolicy } from "../routes/object-policies";
import { done, statusAnswer } from "../routes/shared";

const location = z.string().min(1);

const viewFolderPolicy = defineRoute({
  operation: "folders.viewPolicy",
  summary: "View the access policy of a folder",
  method: "GET",
  paths: ["/api/v1.2/folders/policy"],
  access: anyone("submitting a command"),
  from: "query-or-body",
  params: z.strictObject({
    location: location.describe("Current location of the folder"),
    source_type: z.literal("Folder"),
    type: z.enum([...folderType.options, "jupyter_notebooks"]),
    name: z.string().optional(),
  }),
  answer: z.object({
    location: z.string(),
    source_type: z.string(),
    type: z.string(),
    policy: z.union([policySchema, z.string()]),
  }),
  handle(context, { location, source_type, type }) {
    const folder = folderAt(context, location, type);
    if (!folder) throw notFound(`there is no folder of type ${type} at ${location}`);
    const fields = { location: folder.location, source_type, type };
    return viewPolicy({ fields, name: `folder ${folder.location}` }, folder.policy, context);
  },
});

/** A place for folders: the common one, a user's, or a folder. */
function parentAt(context: Context, parameter: string, place: string, type: string): string {
  const wanted = trim(place);
  const { store, account } = context;
  const owner = /^Users\/([^/]+)$/.exec(wanted)?.[1];
  const known =
    wanted === "Common" ||
    store.list("users", account.id).some(({ email }) => email === owner) ||
    folderAt(context, wanted, type) !== undefined;
  if (!known) throw notFound(`${parameter}: there is no ${place} for folders of type ${type}`);
  return wanted;
}

const createFolder = defineRoute({
  operation: "folders.create",
  summary: "Create a notebook or dashboard folder",
  method: "POST",
  paths: ["/api/v1.2/folders"],
  access: anyone("submitting a command"),
  params: z.strictObject({
    name: z.string().regex(/^[A-Za-z0-9]+$/, "must be letters and digits"),
    location: location.optional().describe("Where to create it; default the user's own place"),
    type: folderType,
  }),
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, { name, location, type }) {
    const { store, account, user } = context;
    const parent = parentAt(context, "location", location ?? `Users/${user.email}`, type);
    const place = `${parent}/${name}`;
    if (folderAt(context, place, type)) throw conflict(`name: there is already a folder at ${place}`);
    store.put("folders", account.id, { id: store.nextId("folders"), name, location: place, type, policy: [] });
    return done(`folder ${place} created`);
  },
});

const moveFolder = defineRoute({
  operation: "folders.move",
  summary: "Move a notebook or dashboard folder",
  method: "POST",
  paths: ["/api/v1.2/folders/move"],
  access: anyone("submitting a command"),
  params: z.strictObject({
    location: location.describe("Current location of the folder"),
    destination_location: location.describe("Where to move it"),
    type: folderType,
  }),
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, { location, destination_location, type }) {
    const folder = folderAt(context, location, type);
    if (!folder) throw notFound(`there is no folder of type ${type} at ${location}`);
    const parent = parentAt(context, "destination_location", destination_location, type);
    if (`${parent}/`.startsWith(`${folder.location}/`))
      throw conflict(`destination_location: ${parent} is inside the folder itself`);
    relocate(context, folder, `${parent}/${folder.name}`);
    return done(`folder moved to ${parent}`);
  },
});

/** Takes the place of the specified operation, which knows no environments. */
const setPolicy: Route = {
  ...setObjectPolicy,
  summary: "Set the policy of a notebook, cluster, scheduler or environment",
  params: objectPolicyParams.extend({ source_type: z.enum(["note", "cluster", "scheduler", "environment"]) }),
};

export const extendedPolicyRoutes = [viewFolderPolicy, createFolder, moveFolder, setPolicy];
