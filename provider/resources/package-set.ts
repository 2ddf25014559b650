import { z } from "zod";
import type { Client } from "../api/client";
import { isPlatformError, outcomeUnknown, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { defineResource, PartialSuccess } from "../core/define";
import {
  difference,
  type PackageEntry,
  packageEntry,
  packageKey,
  packageMap,
  parsePackage,
  type RepoPackage,
  repoPackage,
  repoUrl,
  type SourceType,
  sameWanted,
  sourceTypes,
  type Wanted,
  written,
} from "./package-names";

const Inputs = z.object({
  envId: z
    .int()
    .positive("must be the id of a package environment, a positive integer")
    .describe("Package environment."),
  sourceType: z.enum(sourceTypes).describe("Python or R packages."),
  packages: z
    .array(packageEntry)
    .describe(
      "The packages: `name`, `name==version`, or an object with both. A bare name installs the latest version. Order means nothing.",
    ),
  repoUrl: repoUrl
    .optional()
    .describe("Address of the public R archive, to add `packages` from that repository. Only for `r_package`."),
  repoPackages: z
    .array(repoPackage)
    .optional()
    .describe("R packages that come from a repository of their own. Only for `r_package`."),
});
type Inputs = z.output<typeof Inputs>;

export const packageSet = defineResource({
  type: "PackageSet",
  doc: `The Python or the R packages that a program wants in a package environment.

Only what the program lists is managed: other packages of the environment are left alone, and two \`PackageSet\`s of one environment and source type must not list the same package. Python names are compared as pip does (\`Scikit_Learn\` is \`scikit-learn\`), R names exactly.`,
  inputs: Inputs,
  outputs: z.object({}),
  importId: {
    format: "the environment's id and the source type",
    example: "401/python_package",
    note: "The API cannot list packages: they are told by the program alone.",
  },
  replaceOn: ["envId", "sourceType"],
  deleteBeforeReplace: true,
  secrets: [],
  limits: {
    refresh: "Nothing. The API cannot list packages, so the state is kept as it is.",
    update:
      "Only the difference is sent: one request adds what is new or has another version, one removes what is gone. In Spark, a changed Python version takes effect only after the Spark interpreter restarts.",
    destroy:
      "Removes the listed packages from the environment in one request, also those that were there before the resource was made: the API cannot show what was.",
  },
  same: {
    packages: (a, b, { sourceType = "r_package" }) => sameSet(sourceType, { packages: a }, { packages: b }),
    repoPackages: (a, b) => sameSet("r_package", { repoPackages: a }, { repoPackages: b }),
  },
  rules({ sourceType, packages, repoUrl, repoPackages }, report) {
    if (sourceType === "python_package") {
      if (repoUrl !== undefined) report("repoUrl", "is for R packages only; sourceType is python_package");
      if (repoPackages !== undefined) report("repoPackages", "is for R packages only; sourceType is python_package");
    }
    if (!sourceType) return;
    const seen = new Map<string, string>();
    for (const name of (packages ?? []).map((entry) => parsePackage(entry).name)) {
      const problem = repeated(sourceType, name, seen);
      if (problem) report("packages", problem);
    }
    for (const { name } of repoPackages ?? []) {
      const problem = repeated(sourceType, name, seen);
      if (problem) report("repoPackages", problem);
    }
  },
  advise: ({ packages, repoPackages }) =>
    packages?.length === 0 && !repoPackages?.length ? ["lists no package, so nothing is added to the environment"] : [],
  beforeChange({ old, inputs, replaces }) {
    if (replaces || old.sourceType !== "python_package" || !inputs.packages) return [];
    const before = packageMap(old);
    const changed = [...packageMap({ ...old, ...inputs })]
      .filter(([key, { version }]) => before.has(key) && before.get(key)?.version !== version)
      .map(([, { name }]) => name);
    return changed.length > 0
      ? [
          `the version of ${changed.join(", ")} changes: in Spark it takes effect only after the Spark interpreter restarts`,
        ]
      : [];
  },

  async create({ api }, inputs) {
    const { envId, sourceType, repoUrl } = inputs;
    await add(api, { envId, sourceType, repoUrl }, [...packageMap(inputs).values()]);
    return { id: `${envId}/${sourceType}` };
  },

  fromId(id) {
    const [, envId, sourceType] = /^([1-9]\d*)\/(python_package|r_package)$/.exec(id) ?? [];
    if (!envId) {
      throw new PlatformError(
        `${JSON.stringify(id)} is no id of a PackageSet; it has the form <envId>/python_package or <envId>/r_package, for example 401/python_package`,
        { code: "rejected" },
      );
    }
    return { envId: Number(envId), sourceType: sourceType as SourceType };
  },

  async update({ api }, id, old, inputs) {
    const { added, removed } = difference(packageMap(old), packageMap(inputs));
    await add(api, inputs, added);
    try {
      await remove(api, inputs, removed);
    } catch (error) {
      // What was added is there, what was to be removed still is: the next `up` removes it.
      throw added.length > 0 ? new PartialSuccess(id, stillThere(inputs, removed), error as Error) : error;
    }
    return {};
  },

  async delete({ api, log }, _id, state) {
    try {
      await remove(api, state, [...packageMap(state).values()]);
    } catch (error) {
      if (!isPlatformError(error, "not-found")) throw error;
      log.warn(`package environment ${state.envId} is gone, and its packages with it: nothing was removed`);
    }
  },
});

function repeated(sourceType: SourceType, name: string, seen: Map<string, string>): string | undefined {
  const key = packageKey(sourceType, name);
  const other = seen.get(key);
  seen.set(key, name);
  if (other === undefined) return undefined;
  return other === name
    ? `names ${JSON.stringify(name)} twice; name each package once`
    : `names ${JSON.stringify(other)} and ${JSON.stringify(name)}, which are the same package; name each package once`;
}

interface Listed {
  readonly packages?: readonly PackageEntry[] | undefined;
  readonly repoPackages?: readonly RepoPackage[] | undefined;
}

function sameSet(sourceType: SourceType, a: Listed, b: Listed): boolean {
  const [left, right] = [packageMap({ sourceType, ...a }), packageMap({ sourceType, ...b })];
  return (
    left.size === right.size && [...left].every(([key, entry]) => right.has(key) && sameWanted(entry, right.get(key)))
  );
}

type Target = Pick<Inputs, "envId" | "sourceType" | "repoUrl">;

/** Adding what is there changes nothing, but whether a lost request arrived cannot be looked up: the user decides. */
async function add(api: Client, { envId, sourceType, repoUrl }: Target, entries: readonly Wanted[]): Promise<void> {
  if (entries.length === 0) return;
  const plain = entries.filter(({ ownRepo }) => !ownRepo);
  const own = entries.filter(({ ownRepo }) => ownRepo).map(({ name, repoUrl }) => ({ name, repo_url: repoUrl }));
  const body = {
    source_type: sourceType,
    ...(plain.length > 0 && { package_names: plain.map(written).join(",") }),
    ...(plain.length > 0 && repoUrl !== undefined && { repo_url: repoUrl }),
    ...(own.length > 0 && { repo_packages: JSON.stringify(own) }),
  };
  try {
    await api.call(operations.addPackages, { path: { envId }, body, answer: z.unknown() });
  } catch (error) {
    throw outcomeUnknown(error, "Run `pulumi up` again: adding packages that are there already changes nothing.");
  }
}

/** By name alone: whatever version is there goes. */
async function remove(api: Client, { envId, sourceType }: Target, entries: readonly Wanted[]): Promise<void> {
  if (entries.length === 0) return;
  const body = { source_type: sourceType, package_names: entries.map(({ name }) => name).join(",") };
  await api.call(operations.removePackages, { path: { envId }, body, answer: z.unknown() });
}

/** The inputs as if the program still listed what could not be removed: what the environment really holds. */
function stillThere(inputs: Inputs, removed: readonly Wanted[]): Partial<Inputs> {
  const plain = removed.filter(({ ownRepo }) => !ownRepo).map(written);
  const own = removed.flatMap(({ ownRepo, name, repoUrl }) => (ownRepo && repoUrl ? [{ name, repoUrl }] : []));
  return {
    packages: [...inputs.packages, ...plain],
    ...(own.length > 0 && { repoPackages: [...(inputs.repoPackages ?? []), ...own] }),
  };
}
