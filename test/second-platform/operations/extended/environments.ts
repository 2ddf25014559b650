import { type Answer, ok } from "../../answers";
import { type Call, type Operation, operation } from "../../operation";
import { listPackages } from "./environment-packages";
import { needs } from "./needs";

function list(call: Call): Answer {
  const own = call.world.data.environments.filter((one) => one.accountId === call.user.accountId);
  return ok({ environments: own.map(({ id, name }) => ({ id, name, python_version: "2.7", r_version: "3.3" })) });
}

const base = "/api/v1.2/package";

export const environmentOperations: readonly Operation[] = [
  operation("environments.list", `GET ${base}/list_environments`, needs.readEnvironment, list),
  operation("environments.packages", `GET ${base}/:env/list_packages`, needs.readEnvironment, listPackages),
];
