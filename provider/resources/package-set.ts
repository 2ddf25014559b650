import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError, saysItIsSo } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, type Context, defineResource, keepIfOpen, PartialSuccess } from "../core/define";
import { asInstalled, lookAtPackages } from "../platform/installed-packages";
import {
  difference,
  environmentKey,
  type PackageEntry,
  packageEntry,
  packageKey,
  packageMap,
  packageSpec,
  parsePackage,
  type RepoPackage,
  repoPackage,
  repoUrl,
  type SourceType,
  sameWanted,
  sourceTypes,
  type Wanted,
} from "../platform/packages";
import { notDeclaredElsewhere } from "../platform/sets";
import { asNumber, numberId, sameId } from "../values/id";

const Inputs = z.object({
  envId: numberId.describe("Id of the package environment."),
  sourceType: z
    .enum(sourceTypes)
    .meta({ schemaName: "PackageSourceType" })
    .describe("Type of the packages: Python or R."),
  packages: z
    .array(packageEntry)
    .optional()
    .meta({ wasRequired: true })
    .describe(
      "Packages to install: `name`, `name==version`, or an object with both. A bare name installs the latest version. Order does not matter.",
    ),
  repoUrl: repoUrl
    .optional()
    .describe("URL of the public R repository to install `packages` from. Only for `r_package`."),
  repoPackages: z
    .array(repoPackage)
    .optional()
    .describe("R packages, each with its own repository. Only for `r_package`."),
});
type Inputs = z.output<typeof Inputs>;

export const packageSet = defineResource({
  type: "PackageSet",
  doc: `A set of Python or R packages in a package environment.

Only the listed packages are managed: other packages in the environment are left alone. Two \`PackageSet\`s with the same environment and source type must not list the same package. Python names are compared as pip does (\`Scikit_Learn\` is \`scikit-learn\`), R names exactly. With the extended API (\`dataplatform:extendedApi\`) refresh compares them with the environment.`,
  inputs: Inputs,
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "the environment's id and the source type",
    example: "401/python_package",
    note: "The API cannot list packages: the ones in the program are assumed to be installed, and nothing is sent until they change.",
  },
  importShowsPart: true,
  replaceOn: ["envId", "sourceType"],
  deleteBeforeReplace: true,
  keys: { property: "packages", of: keysOf },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    unseen: "the API cannot list packages",
    update:
      "Only the difference is sent: one request adds new packages and changed versions, and one removes packages that are no longer listed. In Spark, a changed Python package version takes effect only after the Spark interpreter restarts.",
    destroy:
      "Removes the listed packages from the environment in one request, including any that were installed before the resource was created: the API cannot list packages.",
  },
  same: {
    envId: sameId,
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
  advise: ({ packages, repoPackages }, unknown) =>
    !packages?.length && !repoPackages?.length && !unknown("packages") && !unknown("repoPackages")
      ? ["lists no packages, so nothing is added to the environment"]
      : [],
  beforeChange({ old, inputs, replaces }) {
    if (replaces || old.sourceType !== "python_package" || !inputs.packages) return [];
    const before = packageMap(old);
    const changed = [...packageMap({ ...old, ...inputs })]
      .filter(([key, { version }]) => before.has(key) && before.get(key)?.version !== version)
      .map(([, { name }]) => name);
    return changed.length > 0
      ? [
          `the version of ${changed.join(", ")} changes: in Spark the change takes effect only after the Spark interpreter restarts`,
        ]
      : [];
  },

  async create({ api }, inputs) {
    const id = `${inputs.envId}/${inputs.sourceType}`;
    await keepIfOpen(id, {}, () => add(api, inputs, [...packageMap(inputs).values()]));
    return { id };
  },

  fromId(id) {
    const [, envId, sourceType] = /^([^/\s]+)\/(python_package|r_package)$/.exec(id) ?? [];
    if (!envId) {
      throw new PlatformError(
        `${JSON.stringify(id)} is not a package set id; expected <envId>/python_package or <envId>/r_package, such as 401/python_package`,
        { code: "rejected" },
      );
    }
    return { envId: asNumber(envId), sourceType: sourceType as SourceType };
  },

  async update(context, id, old, inputs, { redo }) {
    const { api } = context;
    const wanted = packageMap(inputs);
    const { added, removed } = difference(packageMap(old), wanted);
    if (removed.length > 0) await context.run.othersAreDeclared();
    const removable = notDeclared(context, inputs, removed, (key) => context.run.declarerOf(key));
    // Until the removal succeeds, the state must list both the packages to remove and those that may have been added.
    const partialState = withUnremoved(inputs, removable);
    await keepIfOpen(id, partialState, () =>
      redo ? addAgain(context, inputs, [...wanted.values()]) : add(api, inputs, added),
    );
    const removal = () => removeWhatIsThere(context, inputs, removable);
    try {
      await (added.length > 0 ? retryOnConflict(api, removal) : removal());
    } catch (error) {
      throw added.length > 0 || leavesOutcomeOpen(error) ? new PartialSuccess(id, partialState, error as Error) : error;
    }
    return {};
  },

  async delete(context, _id, state) {
    const keeperOf = (key: string) => context.run.keeperOf(key);
    await removeWhatIsThere(context, state, notDeclared(context, state, [...packageMap(state).values()], keeperOf));
  },

  extended: {
    limits: {
      refresh:
        "Listed packages that are gone from the environment, and pinned ones that have another version, as far as the list of the platform tells: a list without versions shows only what is gone, and a list of requests only versions. Versions are compared as pip does (1.0 is 1.0.0), or as R does.",
    },
    importNote:
      "The packages in the program are assumed to be installed, and nothing is sent until they change: an environment holds more packages than a program should manage, so they are not read. The next refresh compares them with the environment.",

    async read(context, _id, { envId, sourceType, ...recorded }) {
      // An import does not know which packages the program manages.
      if (!recorded.packages && !recorded.repoPackages) return {};
      const installed = await lookAtPackages(context, envId!, sourceType!);
      if (installed === "gone") return undefined;
      return installed === "unknown" ? {} : asInstalled(installed, recorded);
    },
  },
});

function keysOf({ envId, sourceType, packages, repoPackages }: Partial<Inputs>): string[] {
  if (envId === undefined || sourceType === undefined) return [];
  const names = [...packageMap({ sourceType, packages, repoPackages }).values()].map(({ name }) => name);
  return names.map((name) => environmentKey(envId, sourceType, name));
}

/** Packages that another resource in this run declares must stay. */
function notDeclared(
  context: Context,
  { envId, sourceType }: Target,
  entries: readonly Wanted[],
  keeperOf: (key: string) => string | undefined,
): Wanted[] {
  const keeper = ({ name }: Wanted) => keeperOf(environmentKey(envId, sourceType, name));
  return notDeclaredElsewhere(context.log, entries, `in environment ${envId}`, keeper, ({ name }) => name);
}

function repeated(sourceType: SourceType, name: string, seen: Map<string, string>): string | undefined {
  const key = packageKey(sourceType, name);
  const other = seen.get(key);
  seen.set(key, name);
  if (other === undefined) return undefined;
  return other === name
    ? `lists ${JSON.stringify(name)} twice; list each package once`
    : `lists ${JSON.stringify(other)} and ${JSON.stringify(name)}, which are the same package; list each package once`;
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

/** Adding an installed package changes nothing, so a lost request is simply sent again: the API cannot list packages. */
async function add(api: Client, { envId, sourceType, repoUrl }: Target, entries: readonly Wanted[]): Promise<void> {
  if (entries.length === 0) return;
  const plain = entries.filter(({ ownRepo }) => !ownRepo);
  const own = entries.filter(({ ownRepo }) => ownRepo).map(({ name, repoUrl }) => ({ name, repo_url: repoUrl }));
  const body = {
    source_type: sourceType,
    ...(plain.length > 0 && { package_names: plain.map(packageSpec).join(",") }),
    ...(repoUrl !== undefined && { repo_url: repoUrl }),
    ...(own.length > 0 && { repo_packages: JSON.stringify(own) }),
  };
  await api.call(operations.addPackages, { path: { envId }, body, answer: anyAnswer });
}

/** After an add whose response was lost. A conflict counts as done only if the platform says so: it may also be busy. */
async function addAgain(context: Context, target: Target, entries: readonly Wanted[]): Promise<void> {
  try {
    await add(context.api, target, entries);
  } catch (error) {
    if (!saysItIsSo(error, "add") || leavesOutcomeOpen(error)) throw error;
    if (entries.length > 1) for (const entry of entries) await addAgain(context, target, [entry]);
    else context.log.info(`the platform reports that ${entries[0]?.name} is already in environment ${target.envId}`);
  }
}

/** An environment that is still applying our last change may refuse the next one with a conflict. */
async function retryOnConflict(api: Client, change: () => Promise<void>): Promise<void> {
  for (const seconds of [1, 2, 4]) {
    try {
      return await change();
    } catch (error) {
      if (!isPlatformError(error, "conflict")) throw error;
      await api.pause(seconds * 1000);
    }
  }
  return change();
}

/** By name only, so it removes whatever version is installed. */
async function remove(api: Client, { envId, sourceType }: Target, entries: readonly Wanted[]): Promise<void> {
  if (entries.length === 0) return;
  const body = { source_type: sourceType, package_names: entries.map(({ name }) => name).join(",") };
  try {
    await api.call(operations.removePackages, { path: { envId }, body, answer: anyAnswer });
  } catch (error) {
    // A removal retried after a lost response finds nothing left to remove.
    if (isPlatformError(error, "not-found") && error.fromPlatform && error.outcome === "open") return;
    throw error;
  }
}

/** One of them may be gone, and the others not: then each by itself. */
async function removeWhatIsThere(context: Context, target: Target, entries: readonly Wanted[]): Promise<void> {
  const { api, log } = context;
  try {
    await remove(api, target, entries);
  } catch (error) {
    if (!(await saysItIsGone(api, error))) throw error;
    if (entries.length > 1) for (const entry of entries) await removeWhatIsThere(context, target, [entry]);
    else log.warn(`environment ${target.envId}, or ${entries[0]?.name} in it, no longer exists: nothing to remove`);
  }
}

/** What the environment really holds: the inputs, plus the packages that are not removed yet. */
function withUnremoved(inputs: Inputs, unremoved: readonly Wanted[]): Partial<Inputs> {
  const plain = unremoved.filter(({ ownRepo }) => !ownRepo).map(packageSpec);
  const own = unremoved.flatMap(({ ownRepo, name, repoUrl }) => (ownRepo && repoUrl ? [{ name, repoUrl }] : []));
  return {
    ...((inputs.packages || plain.length > 0) && { packages: [...(inputs.packages ?? []), ...plain] }),
    ...(own.length > 0 && { repoPackages: [...(inputs.repoPackages ?? []), ...own] }),
  };
}
