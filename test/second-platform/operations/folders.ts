import { type Answer, conflict, invalid, missing, unshown } from "../answers";
import type { Folder } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { readPolicy } from "../policy";
import { pick } from "../rights";
import type { World } from "../world";

const types = ["notes", "notebook_dashboards"] as const;

const record = (folder: Folder) => ({
  id: folder.id,
  name: folder.name,
  location: folder.location,
  type: folder.type,
});

const parentOf = (location: string) => location.replace(/[^/]*$/, "");

function giveName(world: World, folder: Folder, name: string): void {
  folder.name = name;
  if (world.switches.folderLocationAfter === "unchanged") return;
  const old = folder.location;
  folder.location = parentOf(old) + name;
  // Folders within it move along.
  for (const other of world.data.folders)
    if (other.accountId === folder.accountId && other.type === folder.type && other.location.startsWith(`${old}/`))
      other.location = folder.location + other.location.slice(old.length);
}

function checkName(world: World, folder: Folder, name: string): void {
  const taken = world.data.folders.some(
    (other) =>
      other !== folder &&
      other.accountId === folder.accountId &&
      other.type === folder.type &&
      parentOf(other.location) === parentOf(folder.location) &&
      other.name === name,
  );
  if (taken) throw conflict(`a folder ${name} exists already`);
}

function rename(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only("name", "folder_id", "location", "type").needs("name", "folder_id").mayNeed(["location", "type"]);
  const id = parameters.text("folder_id");
  const name = parameters.text("name") ?? "";
  const location = parameters.text("location");
  const type = parameters.oneOf("type", types);
  const folder = pick(call, world.data.folders, (one) => String(one.id) === id, `folder ${id}`);
  if (type !== undefined && type !== folder.type) throw missing(`folder ${id} of type ${type} not found`);
  if (location !== undefined && location !== folder.location) throw invalid("location is not that of the folder");
  if (name === "") throw invalid("name must not be empty");
  checkName(world, folder, name);
  if (name !== folder.name) giveName(world, folder, name);
  return unshown(switches.unshownAnswer, record(folder));
}

function setPolicy(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only("location", "source_type", "type", "policy", "name").mayNeed(["source_type", "type"]);
  parameters.oneOf("source_type", ["Folder"]);
  const location = parameters.needs("location").text("location");
  const type = parameters.oneOf("type", types);
  const folder = pick(
    call,
    world.data.folders,
    (one) => one.location === location && (type === undefined || type === one.type),
    `folder ${location}`,
  );
  const policy = readPolicy(call, "folder");
  if (policy !== "unchanged") folder.policy = policy;
  return unshown(switches.unshownAnswer, { ...record(folder), policy: folder.policy });
}

export const folderOperations: readonly Operation[] = [
  operation("folders.rename", "PUT /api/v1.2/folders/rename", needs.submitCommand, rename),
  operation("folders.policy", "PUT /api/v1.2/folders/policy", needs.submitCommand, setPolicy),
];
