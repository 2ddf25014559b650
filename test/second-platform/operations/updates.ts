import { type Answer, conflict, invalid, missing, ok, refuseIf, unshown } from "../answers";
import { type Call, needs, type Operation, operation, pick } from "../operation";
import { Parameters } from "../parameters";
import type { Environment, Folder, InstalledPackage, Role } from "../state";

/* What changes a thing that is there: packages of an environment, the name of a folder, roles of a group. */

const sources = ["python_package", "r_package"] as const;

interface Item {
  name: string;
  version: string | undefined;
}

function readNames(text: string): Item[] {
  return text.split(",").map((part) => {
    const match = /^([^\s=]+)(?:==([^\s=]+))?$/.exec(part);
    if (!match?.[1]) throw invalid(`${part} is not a package`);
    return { name: match[1], version: match[2] };
  });
}

type Change = (packages: InstalledPackage[], item: Item, source: InstalledPackage["source"]) => void;

/** Processes the list of packages: all of it or nothing. */
function change(call: Call, parameters: Parameters, work: Change): Environment {
  const { world, path } = call;
  const environment = pick(
    call,
    world.data.environments,
    (env) => String(env.id) === path["env"],
    `environment ${path["env"]}`,
  );
  parameters.only("source_type", "package_names").needs("source_type", "package_names");
  const source = parameters.oneOf("source_type", sources)!;
  const items = readNames(parameters.text("package_names") ?? "");
  if (world.clock() < environment.busyUntil) throw conflict("the environment is being updated");
  const packages = structuredClone(environment.packages);
  for (const item of items) work(packages, item, source);
  environment.packages = packages;
  if (world.switches.packageBusy !== "accepted") environment.busyUntil = world.clock() + 1000;
  return environment;
}

const packagesOf = ({ id, packages }: Environment) => ({
  id,
  packages: packages.map(({ name, version }) => ({ name, version })),
});

function addPackages(call: Call): Answer {
  const { switches } = call.world;
  const environment = change(call, call.parameters, (packages, { name, version }, source) => {
    const present = packages.find((one) => one.source === source && one.name === name);
    if (!present) packages.push({ name, version: version ?? "9.9.9", source });
    else if (version === undefined || version === present.version)
      refuseIf(switches.packagePresent, `${name} is installed already`);
    else {
      refuseIf(switches.packageOtherVersion, `${name} is installed already`);
      if (switches.packageOtherVersion === "replaced") present.version = version;
    }
  });
  return unshown(switches.addPackagesAnswer, packagesOf(environment));
}

function removePackages(call: Call): Answer {
  const { switches } = call.world;
  const { body, query } = call;
  const given = { body, query, "query or body": { ...query, ...body } }[switches.packageRemoveSource];
  const environment = change(call, new Parameters(switches, given), (packages, { name }, source) => {
    const index = packages.findIndex((one) => one.source === source && one.name === name);
    if (index >= 0) packages.splice(index, 1);
  });
  return unshown(switches.unshownAnswer, packagesOf(environment));
}

const parentOf = (location: string) => location.replace(/[^/]*$/, "");

/** Folders within it move along. */
function giveName(folder: Folder, name: string, folders: readonly Folder[]): void {
  const old = folder.location;
  folder.location = parentOf(old) + name;
  for (const other of folders)
    if (other.location.startsWith(`${old}/`)) other.location = folder.location + other.location.slice(old.length);
}

function renameFolder(call: Call): Answer {
  const { world, parameters } = call;
  parameters.only("name", "folder_id", "location", "type").needs("name", "folder_id").mayNeed(["location", "type"]);
  const id = parameters.text("folder_id");
  const name = parameters.text("name") ?? "";
  const location = parameters.text("location");
  const type = parameters.oneOf("type", ["notes", "notebook_dashboards"]);
  const folder = pick(call, world.data.folders, (one) => String(one.id) === id, `folder ${id}`);
  if (type !== undefined && type !== folder.type) throw missing(`folder ${id} of type ${type} not found`);
  if (location !== undefined && location !== folder.location) throw invalid("location is not that of the folder");
  if (name === "") throw invalid("name must not be empty");
  const ofKind = world.data.folders.filter((one) => one.accountId === folder.accountId && one.type === folder.type);
  const beside = ofKind.filter((one) => one !== folder && parentOf(one.location) === parentOf(folder.location));
  if (beside.some((one) => one.name === name)) throw conflict(`a folder ${name} exists already`);
  if (name !== folder.name && world.switches.folderLocationAfter !== "unchanged") giveName(folder, name, ofKind);
  folder.name = name;
  return unshown(world.switches.unshownAnswer, { id: folder.id, name, location: folder.location, type: folder.type });
}

/** The role meant by an id or a name. */
function roleMeant({ world, user }: Call, given: string): Role {
  const own = world.data.roles.filter((role) => role.accountId === user.accountId);
  const found = own.find((role) => String(role.id) === given) ?? own.find((role) => role.name === given);
  if (!found) throw missing(`role ${given} not found`);
  return found;
}

/** With the roles that the group then has. */
const roleChange =
  (changed: (roles: readonly number[], id: number, call: Call) => number[]) =>
  (call: Call): Answer => {
    const { rawBody, path, world } = call;
    const isObject = typeof rawBody === "object" && rawBody !== null && !Array.isArray(rawBody);
    if (!isObject || Object.keys(rawBody).length > 0) throw invalid("the body must be an empty object");
    const { group: given = "", role = "" } = path;
    const group = pick(call, world.data.groups, ({ id }) => String(id) === given, `group ${given}`);
    group.roles = changed(group.roles, roleMeant(call, role).id, call);
    return ok({ status: "done" });
  };

const assign = roleChange((roles, id, { world }) => {
  if (!roles.includes(id)) return [...roles, id];
  refuseIf(world.switches.roleAssigned, "the role is assigned already");
  return [...roles];
});
const unassign = roleChange((roles, id) => roles.filter((one) => one !== id));

const environment = "/api/v1.2/package/:env";
const role = "/api/v1.2/groups/:group/roles/:role";

export const updateOperations: readonly Operation[] = [
  operation("packages.add", `POST ${environment}/add_packages`, needs.updateEnvironment, addPackages),
  operation("packages.remove", `DELETE ${environment}/remove_packages`, needs.updateEnvironment, removePackages),
  operation("folders.rename", "PUT /api/v1.2/folders/rename", needs.submitCommand, renameFolder),
  operation("groupRoles.assign", `PUT ${role}/assign`, needs.assignRoles, assign),
  operation("groupRoles.unassign", `PUT ${role}/unassign`, needs.unassignRoles, unassign),
];
