import { z } from "zod";
import { anyone } from "../auth";
import { conflict, invalid, notFound } from "../errors";
import { withoutFinalSlashes } from "../expressions";
import { allows, parsePolicy } from "../policy";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "./shared";

type Folder = RecordOf<"folders">;

export const folderType = z.enum(["notes", "notebook_dashboards"]);

export function folderAt({ store, account }: Context, location: string, kind: string): Folder | undefined {
  const wanted = trim(location);
  return store.list("folders", account.id).find((folder) => folder.location === wanted && folder.type === kind);
}

export const trim = (location: string) => withoutFinalSlashes(location.replace(/^\/+/, ""));

const rename = defineRoute({
  operation: "folders.rename",
  summary: "Rename a notebook or dashboard folder",
  method: "PUT",
  paths: ["/api/v1.2/folders/rename"],
  access: anyone("submitting a command"),
  params: z.strictObject({
    name: z.string().min(1).describe("New folder name"),
    folder_id: z.string().min(1),
    location: z.string().min(1).describe("Current location of the folder"),
    type: folderType,
  }),
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, params) {
    const folder = folderAt(context, params.location, params.type);
    if (!folder || String(folder.id) !== params.folder_id)
      throw notFound(`there is no folder ${params.folder_id} of type ${params.type} at ${params.location}`);
    if (params.name.includes("/")) throw invalid("name: must not contain a slash");
    relocate(context, folder, [...folder.location.split("/").slice(0, -1), params.name].join("/"));
    return done(`folder renamed to ${params.name}`);
  },
});

/** Moves the folder and what is inside; by our choice the last part of the location is its name. */
export function relocate(context: Context, folder: Folder, to: string): void {
  const { store, account } = context;
  const from = folder.location;
  if (to !== from && folderAt(context, to, folder.type)) throw conflict(`name: there is already a folder at ${to}`);
  for (const other of store.list("folders", account.id))
    if (other.type === folder.type && other.location.startsWith(`${from}/`))
      store.put("folders", account.id, { ...other, location: to + other.location.slice(from.length) });
  store.put("folders", account.id, { ...folder, name: to.split("/").at(-1) as string, location: to });
}

const policy = defineRoute({
  operation: "folders.policy",
  summary: "Set the access policy of a folder",
  method: "PUT",
  paths: ["/api/v1.2/folders/policy"],
  access: anyone("submitting a command", "a user with manage permission on the folder"),
  params: z.strictObject({
    location: z.string().min(1).describe("Current location of the folder"),
    source_type: z.literal("Folder"),
    type: folderType,
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
