import { z } from "zod";
import { access } from "../auth";
import { conflict, invalid, notFound } from "../errors";
import { withoutFinalSlashes } from "../expressions";
import { allows, parsePolicy } from "../policy";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "./shared";

type Folder = RecordOf<"folders">;

const type = z.enum(["notes", "notebook_dashboards"]);

function folderAt({ store, account }: Context, location: string, kind: string): Folder | undefined {
  const wanted = trim(location);
  return store.list("folders", account.id).find((folder) => folder.location === wanted && folder.type === kind);
}

const trim = (location: string) => withoutFinalSlashes(location.replace(/^\/+/, ""));

const rename = defineRoute({
  operation: "folders.rename",
  summary: "Rename a notebook or dashboard folder",
  method: "PUT",
  paths: ["/api/v1.2/folders/rename"],
  access: access.renameFolder,
  from: "body",
  params: z.strictObject({
    name: z.string().min(1).describe("New folder name"),
    folder_id: z.string().min(1),
    location: z.string().min(1).describe("Current location of the folder"),
    type,
  }),
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, params) {
    const { store, account } = context;
    const folder = folderAt(context, params.location, params.type);
    if (!folder || String(folder.id) !== params.folder_id)
      throw notFound(`there is no folder ${params.folder_id} of type ${params.type} at ${params.location}`);
    if (params.name.includes("/")) throw invalid("name: must not contain a slash");
    const from = folder.location;
    const to = [...from.split("/").slice(0, -1), params.name].join("/");
    if (to !== from && folderAt(context, to, folder.type)) throw conflict(`name: there is already a folder at ${to}`);
    for (const other of store.list("folders", account.id))
      if (other.type === folder.type && other.location.startsWith(`${from}/`))
        store.put("folders", account.id, { ...other, location: to + other.location.slice(from.length) });
    store.put("folders", account.id, { ...folder, name: params.name, location: to });
    return done(`folder renamed to ${params.name}`);
  },
});

const policy = defineRoute({
  operation: "folders.policy",
  summary: "Set the access policy of a folder",
  method: "PUT",
  paths: ["/api/v1.2/folders/policy"],
  access: access.setFolderPolicy,
  from: "body",
  params: z.strictObject({
    location: z.string().min(1).describe("Current location of the folder"),
    source_type: z.literal("Folder"),
    type,
    policy: z.string().describe("JSON-encoded array of policy elements"),
    name: z.string().optional(),
  }),
  answer: statusAnswer,
  answerNotShown: true,
  mayAlso(context, params) {
    const folder = folderAt(context, params.location, params.type);
    return folder !== undefined && allows(folder.policy, context.user, "manage");
  },
  handle(context, params) {
    const folder = folderAt(context, params.location, params.type);
    if (!folder) throw notFound(`there is no folder of type ${params.type} at ${params.location}`);
    const parsed = parsePolicy(params.policy, "folder", context.readings.policyFields);
    context.store.put("folders", context.account.id, { ...folder, policy: parsed });
    return done("folder policy set");
  },
});

export const folderRoutes = [rename, policy];
