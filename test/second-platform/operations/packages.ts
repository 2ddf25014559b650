import { type Answer, conflict, invalid, refuseIf, unshown } from "../answers";
import type { Environment, InstalledPackage } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import { Parameters } from "../parameters";
import { pick } from "../rights";

type Source = InstalledPackage["source"];
const sources: readonly Source[] = ["python_package", "r_package"];

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

function environmentOf(call: Call): Environment {
  const id = call.path["env"];
  return pick(call, call.world.data.environments, (env) => String(env.id) === id, `environment ${id}`);
}

/** Processes the list: all of it or nothing. */
function change(call: Call, items: Item[], work: (packages: InstalledPackage[], item: Item) => void): Environment {
  const { world } = call;
  const environment = environmentOf(call);
  if (world.clock() < environment.busyUntil) throw conflict("the environment is being updated");
  const packages = structuredClone(environment.packages);
  for (const item of items) work(packages, item);
  environment.packages = packages;
  if (world.switches.packageBusy !== "accepted") environment.busyUntil = world.clock() + 1000;
  return environment;
}

const record = (environment: Environment) => ({
  id: environment.id,
  name: environment.name,
  packages: environment.packages.map((one) => ({ name: one.name, version: one.version })),
});

function add(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  environmentOf(call);
  parameters.only("source_type", "package_names").needs("source_type", "package_names");
  const source = parameters.oneOf("source_type", sources) ?? "python_package";
  const items = readNames(parameters.text("package_names") ?? "");
  const environment = change(call, items, (packages, item) => {
    const present = packages.find((one) => one.source === source && one.name === item.name);
    if (!present) {
      packages.push({ name: item.name, version: item.version ?? "9.9.9", source });
      return;
    }
    if (item.version === undefined || item.version === present.version) {
      refuseIf(switches.packagePresent, `${item.name} is installed already`);
      return;
    }
    if (switches.packageOtherVersion === "conflict") throw conflict(`${item.name} is installed already`);
    if (switches.packageOtherVersion === "replaced") present.version = item.version;
  });
  return unshown(switches.addPackagesAnswer, record(environment));
}

function removeParameters(call: Call): Parameters {
  const way = call.world.switches.packageRemoveSource;
  const source = way === "body" ? call.body : way === "query" ? call.query : { ...call.query, ...call.body };
  return new Parameters(call.world.switches, source);
}

function remove(call: Call): Answer {
  const { world } = call;
  environmentOf(call);
  const parameters = removeParameters(call).only("source_type", "package_names").needs("source_type", "package_names");
  const source = parameters.oneOf("source_type", sources);
  const items = readNames(parameters.text("package_names") ?? "");
  const environment = change(call, items, (packages, item) => {
    const index = packages.findIndex((one) => one.source === source && one.name === item.name);
    if (index >= 0) packages.splice(index, 1);
  });
  return unshown(world.switches.unshownAnswer, record(environment));
}

export const packageOperations: readonly Operation[] = [
  operation("packages.add", "POST /api/v1.2/package/:env/add_packages", needs.updateEnvironment, add),
  operation("packages.remove", "DELETE /api/v1.2/package/:env/remove_packages", needs.updateEnvironment, remove),
];
