import { type Answer, invalid, ok, Refusal, refuseIf, unshown } from "../../answers";
import type { Environment } from "../../model";
import { type Call, needs as specified } from "../../operation";
import type { World } from "../../world";
import { environmentOf } from "../packages";
import { listPackages } from "./environment-packages";
import { type ExtendedOperation, needs } from "./needs";

function record(world: World, environment: Environment): Record<string, unknown> {
  const { id, name } = environment;
  const full = {
    name,
    description: environment.description ?? null,
    python_version: environment.pythonVersion ?? versions(world).python[0],
    r_version: environment.rVersion ?? versions(world).r[0],
  };
  switch (world.switches.environmentFields) {
    case "id and name":
      return { id, name };
    case "env_id for id":
      return { env_id: id, ...full };
    case "packages too":
      return { id, ...full, packages: environment.packages.map((one) => `${one.name}==${one.version}`) };
    default:
      return { id, ...full };
  }
}

function versions(world: World): { python: readonly string[]; r: readonly string[] } {
  return world.switches.environmentVersions === "2.7, 3.5 and R 3.3"
    ? { python: ["2.7", "3.5"], r: ["3.3"] }
    : { python: ["3.7", "2.7"], r: ["3.5"] };
}

function list(call: Call): Answer {
  const { world, user } = call;
  const own = world.data.environments.filter((one) => one.accountId === user.accountId);
  const records = own.map((one) => record(world, one));
  switch (world.switches.environmentList) {
    case "list":
      return ok(records);
    case "list of names":
      return ok(own.map((one) => one.name));
    case "by id":
      return ok(Object.fromEntries(own.map((one) => [String(one.id), record(world, one)])));
    case "under data":
      return ok({ data: records });
    case "under environments, with paging_info":
      return ok({ paging_info: { previous_page: null, next_page: null, per_page: 10 }, environments: records });
    default:
      return ok({ environments: records });
  }
}

function checkFeature(world: World): void {
  if (world.switches.environmentFeature === "forbidden")
    throw new Refusal("forbidden", "package management is not enabled for this account");
}

/** Adds the environment, and makes it an object that can have a policy. */
function place(call: Call, environment: Environment): void {
  const { world, user } = call;
  const { name } = environment;
  if (name === "") throw invalid("name must not be empty");
  const taken = world.data.environments.some((one) => one.accountId === user.accountId && one.name === name);
  if (taken) refuseIf(world.switches.environmentNameTaken, `an environment ${name} exists already`);
  world.data.environments.push(environment);
  world.data.objects.push({
    id: environment.id,
    accountId: user.accountId,
    type: "environment",
    name,
    owner: user.id,
    policy: null,
  });
}

function create(call: Call): Answer {
  const { world, user, parameters } = call;
  checkFeature(world);
  parameters.only("name", "description", "python_version", "r_version").needs("name");
  const { python, r } = versions(world);
  const pythonVersion = parameters.oneOf("python_version", python) ?? python[0] ?? "";
  const rVersion = parameters.oneOf("r_version", r) ?? r[0] ?? "";
  const environment: Environment = {
    id: world.nextId("environment"),
    accountId: user.accountId,
    name: parameters.text("name") ?? "",
    packages: [],
    busyUntil: 0,
    description: parameters.text("description") ?? null,
    pythonVersion,
    rVersion,
  };
  place(call, environment);
  return unshown(world.switches.environmentCreateAnswer, record(world, environment));
}

function update(call: Call): Answer {
  const { world, parameters } = call;
  parameters.only("name", "description");
  const environment = environmentOf(call);
  const name = parameters.text("name");
  if (name === "") throw invalid("name must not be empty");
  if (name !== undefined) environment.name = name;
  if (parameters.has("description")) environment.description = parameters.text("description") ?? null;
  return unshown(world.switches.environmentUpdateAnswer, record(world, environment));
}

function clone(call: Call): Answer {
  const { world, parameters } = call;
  checkFeature(world);
  parameters.only("name", "description");
  const parent = environmentOf(call);
  const copy: Environment = {
    ...structuredClone(parent),
    id: world.nextId("environment"),
    name: parameters.text("name") ?? `${parent.name}-clone`,
    description: parameters.text("description") ?? parent.description ?? null,
    busyUntil: 0,
  };
  place(call, copy);
  return unshown(world.switches.environmentCloneAnswer, record(world, copy));
}

function remove(call: Call): Answer {
  const { world, user } = call;
  const environment = environmentOf(call);
  world.data.environments = world.data.environments.filter((one) => one !== environment);
  world.data.objects = world.data.objects.filter(
    (one) => !(one.type === "environment" && one.id === environment.id && one.accountId === user.accountId),
  );
  return unshown(world.switches.environmentDeleteAnswer, record(world, environment));
}

const base = "/api/v1.2/package";
const one = `${base}/:env`;

export const environmentOperations: readonly ExtendedOperation[] = [
  {
    name: "environments.list",
    method: "GET",
    paths: [`${base}/list_environments`],
    need: needs.readEnvironment,
    run: list,
  },
  {
    name: "environments.create",
    method: "POST",
    paths: [`${base}/create_environment`],
    need: needs.createEnvironment,
    run: create,
  },
  {
    name: "environments.update",
    method: "PUT",
    paths: [`${one}/update_environment`],
    need: specified.updateEnvironment,
    run: update,
  },
  {
    name: "environments.clone",
    method: "PUT",
    paths: [`${one}/clone_environment`],
    need: needs.createEnvironment,
    run: clone,
  },
  {
    name: "environments.delete",
    method: "DELETE",
    paths: [`${one}/delete_environment`],
    need: needs.deleteEnvironment,
    run: remove,
  },
  {
    name: "environments.packages",
    method: "GET",
    paths: [`${one}/list_packages`],
    need: needs.readEnvironment,
    run: listPackages,
  },
];
