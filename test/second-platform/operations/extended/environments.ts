import { type Answer, ok } from "../../answers";
import type { Environment } from "../../model";
import type { Call, Operation } from "../../operation";
import type { World } from "../../world";
import { listPackages } from "./environment-packages";
import { needs } from "./needs";

function record(world: World, environment: Environment): Record<string, unknown> {
  const { id, name } = environment;
  const newest = world.switches.environmentVersions !== "2.7, 3.5 and R 3.3";
  const full = {
    name,
    description: null,
    python_version: newest ? "3.7" : "2.7",
    r_version: newest ? "3.5" : "3.3",
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

const base = "/api/v1.2/package";

export const environmentOperations: readonly Operation[] = [
  {
    name: "environments.list",
    method: "GET",
    paths: [`${base}/list_environments`],
    need: needs.readEnvironment,
    run: list,
  },
  {
    name: "environments.packages",
    method: "GET",
    paths: [`${base}/:env/list_packages`],
    need: needs.readEnvironment,
    run: listPackages,
  },
];
