import { z } from "zod";
import { anyone } from "../auth";
import type { Readings } from "../readings";
import type { RecordOf } from "../records";
import { type Context, defineRoute, type Route } from "../router";
import { addPackages, environmentOf } from "../routes/packages";

type Environment = RecordOf<"environments">;
type Request = NonNullable<Environment["requests"]>[number];
type SourceType = Request["source_type"];

/** Enough to show the last five failures among them. */
const keptRequests = 50;

const versions = (installed: Record<string, string>) =>
  Object.entries(installed).map(([name, version]) => `${name}==${version}`);

/** The requests that added packages; what was there without one counts as the first. */
function requestsOf(environment: Environment): Request[] {
  if (environment.requests) return environment.requests;
  const types = (["python_package", "r_package"] as const).filter((type) => versions(environment[type]).length > 0);
  return types.map((source_type, index) => ({
    id: index + 1,
    source_type,
    package_names: versions(environment[source_type]).join(","),
    status: "success",
    created_at: "2024-01-01T00:00:00Z",
  }));
}

interface Addition {
  source_type: SourceType;
}

/** Takes the place of the specified operation, to keep the requests. */
const add: Route = {
  ...addPackages,
  handle(context: Context, params, path) {
    const earlier = requestsOf(environmentOf(context, path.env_id));
    const answer = addPackages.handle(context, params, path) as { packages: string[] };
    const { source_type } = params as Addition;
    const request: Request = {
      id: Math.max(0, ...earlier.map(({ id }) => id)) + 1,
      source_type,
      package_names: answer.packages.join(","),
      status: "success",
      created_at: context.clock.timestamp(),
    };
    const environment = environmentOf(context, path.env_id);
    const requests = [...earlier, request].slice(-keptRequests);
    context.store.put("environments", context.account.id, { ...environment, requests });
    return answer;
  },
};

function packagesOf(environment: Environment, type: SourceType, form: Readings["packageEntries"]): unknown {
  const installed = environment[type];
  const of = (status: Request["status"]) => requestsWith(environment, type, status);
  const forms = {
    text: versions(installed),
    objects: Object.entries(installed).map(([name, version]) => ({ name, version })),
    map: installed,
    names: Object.keys(installed),
    requests: [...of("failed").slice(-5), ...of("success").slice(-1)].sort((a, b) => b.id - a.id),
  };
  return forms[form];
}

/** As the lists show them. */
const requestsWith = (environment: Environment, type: SourceType, status: Request["status"]) =>
  requestsOf(environment)
    .filter((request) => request.source_type === type && request.status === status)
    .map(({ source_type: _type, ...rest }) => rest);

function byLanguage(of: (type: SourceType) => unknown, form: Readings["packageKeys"]): object {
  const [python, r] = form === "short" ? ["python", "r"] : ["python_package", "r_package"];
  return { [python as string]: of("python_package"), [r as string]: of("r_package") };
}

const listPackages = defineRoute({
  operation: "package.listPackages",
  summary: "List the packages of an environment",
  method: "GET",
  paths: ["/api/v1.2/package/:env_id/list_packages"],
  access: anyone("reading an environment"),
  answer: z.object({
    env_id: z.int(),
    packages: z.object({ python: z.array(z.string()), r: z.array(z.string()) }),
    installed_pkgs_history: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).optional(),
  }),
  handle(context, _params, { env_id }) {
    const environment = environmentOf(context, env_id);
    const { packageEntries, packageKeys, packageHistory } = context.readings;
    const successful = (type: SourceType) => requestsWith(environment, type, "success");
    const history = packageHistory === "empty" ? [] : byLanguage(successful, packageKeys);
    return {
      env_id: environment.id,
      packages: byLanguage((type) => packagesOf(environment, type, packageEntries), packageKeys),
      ...(packageHistory !== "absent" && { installed_pkgs_history: history }),
    };
  },
});

const listEnvironments = defineRoute({
  operation: "package.listEnvironments",
  summary: "List the package environments",
  method: "GET",
  paths: ["/api/v1.2/package/list_environments"],
  access: anyone("reading an environment"),
  answer: z.object({ environments: z.array(z.object({ id: z.int(), name: z.string() })) }),
  handle({ store, account, readings }) {
    const environments = store.list("environments", account.id).map(({ id, name }) => ({ id, name }));
    return readings.environmentsEnvelope === "array" ? environments : { environments };
  },
});

export const extendedPackageRoutes = [add, listPackages, listEnvironments];
