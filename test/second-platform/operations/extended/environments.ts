import { type Answer, ok } from "../../answers";
import type { Environment } from "../../model";
import { type Call, type Operation, operation } from "../../operation";
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
  return {
    "as sent": { id, ...full },
    "id and name": { id, name },
    "env_id for id": { env_id: id, ...full },
    "packages too": { id, ...full, packages: environment.packages.map((one) => `${one.name}==${one.version}`) },
  }[world.switches.environmentFields];
}

function list(call: Call): Answer {
  const { world, user } = call;
  const own = world.data.environments.filter((one) => one.accountId === user.accountId);
  const records = own.map((one) => record(world, one));
  return {
    "under environments": ok({ environments: records }),
    list: ok(records),
    "list of names": ok(own.map((one) => one.name)),
    "by id": ok(Object.fromEntries(own.map((one) => [String(one.id), record(world, one)]))),
    "under data": ok({ data: records }),
    "under environments, with paging_info": ok({
      paging_info: { previous_page: null, next_page: null, per_page: 10 },
      environments: records,
    }),
  }[world.switches.environmentList];
}

const base = "/api/v1.2/package";

export const environmentOperations: readonly Operation[] = [
  operation("environments.list", `GET ${base}/list_environments`, needs.readEnvironment, list),
  operation("environments.packages", `GET ${base}/:env/list_packages`, needs.readEnvironment, listPackages),
];
