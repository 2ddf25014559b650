import { type Answer, ok } from "../../answers";
import type { Environment, InstalledPackage, PackageRequest } from "../../model";
import type { Call } from "../../operation";
import type { World } from "../../world";
import { environmentOf } from "../packages";

type Source = InstalledPackage["source"];

/** Keeps a request to add packages, which the list shows. */
export function rememberRequest(world: World, environment: Environment, source: Source, names: string[]): void {
  environment.requests ??= [];
  environment.requests.push({
    id: world.nextId("package request"),
    source,
    names,
    succeeded: true,
    at: world.clock(),
  });
}

/** Requests so far; the packages of a seeded environment count as one that succeeded. */
function requestsOf(environment: Environment, source: Source): PackageRequest[] {
  const own = (environment.requests ?? []).filter((request) => request.source === source);
  const asked = new Set(own.flatMap((request) => request.names.map((name) => name.split("==")[0])));
  const first = environment.packages.filter((one) => one.source === source && !asked.has(one.name));
  if (first.length === 0) return own;
  const names = first.map((one) => `${one.name}==${one.version}`);
  return [{ id: 1, source, names, succeeded: true, at: 0 }, ...own];
}

/** "The last 5 failed add requests and the last successful one". */
function lastRequests(world: World, environment: Environment, source: Source): unknown[] {
  const all = requestsOf(environment, source);
  const shown = [
    ...all.filter((one) => !one.succeeded).slice(-5),
    ...all.filter((one) => one.succeeded).slice(-1),
  ].toSorted((a, b) => a.id - b.id);
  return shown.map((one) => ({
    id: one.id,
    package_names: one.names.join(","),
    status: one.succeeded ? "success" : "failure",
    created_at: world.stamp(one.at),
  }));
}

function elements(world: World, environment: Environment, source: Source): unknown {
  const late = world.switches.packagesDelay === "after 1 second";
  const fresh = (name: string) =>
    late &&
    (environment.requests ?? []).some(
      (request) => world.clock() < request.at + 1000 && request.names.some((one) => one.split("==")[0] === name),
    );
  const installed = environment.packages.filter((one) => one.source === source && !fresh(one.name));
  return {
    requests: lastRequests(world, environment, source),
    "installed as name==version": installed.map((one) => `${one.name}==${one.version}`),
    "installed as names": installed.map((one) => one.name),
    "installed as records": installed.map((one) => ({ name: one.name, version: one.version })),
    "installed as versions by name": Object.fromEntries(installed.map((one) => [one.name, one.version])),
    "requests as JSON text": JSON.stringify(lastRequests(world, environment, source)),
  }[world.switches.packagesShown];
}

export function listPackages(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const environment = environmentOf(call);
  const sources: [string, Source][] =
    switches.packagesKeys === "python_package and r_package"
      ? [
          ["python_package", "python_package"],
          ["r_package", "r_package"],
        ]
      : [
          ["python", "python_package"],
          ["r", "r_package"],
        ];
  const used = sources.filter(
    ([, source]) =>
      switches.packagesKeys !== "only those in use" || environment.packages.some((one) => one.source === source),
  );
  const packages = Object.fromEntries(used.map(([key, source]) => [key, elements(world, environment, source)]));
  const history = Object.fromEntries(
    used.map(([key, source]) => [
      key,
      requestsOf(environment, source)
        .filter((one) => one.succeeded)
        .map((one) => ({ id: one.id, installed: one.names })),
    ]),
  );
  const base = { env_id: environment.id, packages };
  return {
    beside: ok({ ...base, installed_pkgs_history: history }),
    absent: ok(base),
    null: ok({ ...base, installed_pkgs_history: null }),
    "within packages": ok({ ...base, packages: { ...packages, installed_pkgs_history: history } }),
  }[switches.packagesHistory];
}
