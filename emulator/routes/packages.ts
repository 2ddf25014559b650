import { z } from "zod";
import { anyone } from "../auth";
import { invalid, notFound } from "../errors";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";

const sourceType = z.enum(["python_package", "r_package"]);
const packageNames = z.string().describe("Comma-separated list of <name> or <name>==<version>");

interface Package {
  name: string;
  version: string | undefined;
}

function parsePackages(list: string): Package[] {
  return list.split(",").map((item) => {
    // Trim first: matching optional whitespace on both sides would take quadratic time on long runs of it.
    const [, name, version] = /^([A-Za-z0-9][\w.-]*)(?:\s*==\s*([\w.+!-]+))?$/.exec(item.trim()) ?? [];
    if (name === undefined)
      throw invalid(`package_names: ${JSON.stringify(item.trim())} is not <name> or <name>==<version>`);
    return { name, version };
  });
}

const repoPackages = z.array(z.strictObject({ name: z.string().min(1), repo_url: z.url() })).min(1);

function parseRepoPackages(text: string): Package[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid("repo_packages: must be a JSON-encoded array of {name, repo_url}");
  }
  const result = repoPackages.safeParse(value);
  if (!result.success) throw invalid(`repo_packages: ${z.prettifyError(result.error)}`);
  return result.data.flatMap(({ name }) => parsePackages(name));
}

/** The version that a bare name installs: made up, but deterministic. */
export function latestVersion(name: string): string {
  let sum = 0;
  for (const letter of name.toLowerCase()) sum = (sum * 31 + letter.charCodeAt(0)) % 1009;
  return `${1 + (sum % 5)}.${sum % 30}.${sum % 7}`;
}

/** The name that it is installed under: pip takes some spellings for the same, R takes none. */
function installedName(installed: Record<string, string>, name: string, type: string): string {
  const asPip = (one: string) => one.toLowerCase().replace(/[-_.]+/g, "-");
  const isSame = (one: string) => type === "python_package" && asPip(one) === asPip(name);
  return Object.hasOwn(installed, name) ? name : (Object.keys(installed).find(isSame) ?? name);
}

export function environmentOf({ store, account }: Context, id: string | undefined): RecordOf<"environments"> {
  const environment = /^\d+$/.test(id ?? "") ? store.get("environments", account.id, Number(id)) : undefined;
  if (!environment) throw notFound(`there is no package environment ${id}`);
  return environment;
}

const answer = z.object({ status: z.string(), packages: z.array(z.string()) });

const add = defineRoute({
  operation: "package.add",
  summary: "Add packages to an environment",
  method: "POST",
  paths: ["/api/v1.2/package/:env_id/add_packages"],
  access: anyone("updating an environment"),
  params: z.strictObject({
    source_type: sourceType,
    package_names: packageNames.optional(),
    repo_url: z.url().optional().describe("For an R package from the public R archive only"),
    repo_packages: z.string().optional().describe("JSON-encoded array of {name, repo_url}, for R packages"),
  }),
  answer,
  answerNotShown: true,
  handle(context, { source_type, package_names, repo_url, repo_packages }, { env_id }) {
    const environment = environmentOf(context, env_id);
    if (source_type === "python_package" && (repo_url !== undefined || repo_packages !== undefined))
      throw invalid(`${repo_url === undefined ? "repo_packages" : "repo_url"}: is for R packages only`);
    if (package_names === undefined && repo_packages === undefined)
      throw invalid("package_names: is required (or repo_packages, for R)");
    const added = [
      ...(package_names === undefined ? [] : parsePackages(package_names)),
      ...(repo_packages === undefined ? [] : parseRepoPackages(repo_packages)),
    ];
    const installed = { ...environment[source_type] };
    for (const one of added) {
      one.name = installedName(installed, one.name, source_type);
      installed[one.name] = one.version ?? latestVersion(one.name);
    }
    context.store.put("environments", context.account.id, { ...environment, [source_type]: installed });
    return { status: "success", packages: added.map(({ name }) => `${name}==${installed[name]}`) };
  },
});

const remove = defineRoute({
  operation: "package.remove",
  summary: "Remove packages from an environment",
  method: "DELETE",
  paths: ["/api/v1.2/package/:env_id/remove_packages"],
  access: anyone("updating an environment"),
  params: z.strictObject({ source_type: sourceType, package_names: packageNames }),
  answer,
  answerNotShown: true,
  handle(context, { source_type, package_names }, { env_id }) {
    const environment = environmentOf(context, env_id);
    const installed = { ...environment[source_type] };
    const named = parsePackages(package_names);
    for (const one of named) one.name = installedName(installed, one.name, source_type);
    const removed = named.filter(
      ({ name, version }) => Object.hasOwn(installed, name) && (version === undefined || version === installed[name]),
    );
    const packages = removed.map(({ name }) => `${name}==${installed[name]}`);
    for (const { name } of removed) delete installed[name];
    context.store.put("environments", context.account.id, { ...environment, [source_type]: installed });
    return { status: "success", packages };
  },
});

export { add as addPackages };

export const packageRoutes = [add, remove];
