import { z } from "zod";
import { PlatformError } from "../api/errors";
import { accountIdOutput, type Context, defineResource, PartialSuccess } from "../core/define";
import { environmentPackages } from "../platform/environment-packages";
import { asInstalled, lookAtPackages } from "../platform/installed-packages";
import {
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
import { changeSet, removeFromSet } from "../platform/sets";
import { asNumber, environmentId, sameId } from "../values/id";

const Inputs = z.object({
  envId: environmentId.describe("Id of the package environment."),
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
    showsPart: true,
  },
  replaceOn: ["envId", "sourceType"],
  keys: { property: "packages", of: keysOf, deleteFirst: true },
  settledOutputs: ["accountId"],
  secrets: [],
  limits: {
    thing: "the packages of an environment",
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
  foresee({ log }, { old, inputs, replaces }) {
    if (!old || replaces || old.sourceType !== "python_package" || !inputs.packages) return;
    const before = packageMap(old);
    const changed = [...packageMap({ ...old, ...inputs })]
      .filter(([key, { version }]) => before.has(key) && before.get(key)?.version !== version)
      .map(([, { name }]) => name);
    if (changed.length > 0)
      log.warn(
        `the version of ${changed.join(", ")} changes: in Spark the change takes effect only after the Spark interpreter restarts`,
      );
  },

  async create(context, given) {
    const id = `${given.envId}/${given.sourceType}`;
    await apply(context, id, given);
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

  async update(context, id, old, given, { redo }) {
    await apply(context, id, given, old, redo);
    return {};
  },

  async delete(context, _id, state) {
    await removeFromSet(context, environmentPackages(context, state), [...packageMap(state).values()]);
  },

  extended: {
    limits: {
      refresh:
        "Listed packages that are gone from the environment, and pinned ones that have another version, as far as the platform's list shows it: a list without versions shows only what is gone, and a list of requests only versions. Versions are compared as pip does (1.0 is 1.0.0), or as R does.",
    },
    importId: {
      note: "The packages in the program are assumed to be installed, and nothing is sent until they change: an environment holds more packages than a program should manage, so they are not read. The next refresh compares them with the environment.",
    },

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

async function apply(context: Context, id: string, given: Inputs, old?: Inputs, redo?: boolean): Promise<void> {
  const wanted = packageMap(given);
  // A changed version is a package to add, which replaces the other version.
  const isUnchanged = ([key, entry]: [string, Wanted]) => !wanted.has(key) || sameWanted(wanted.get(key), entry);
  const before = [...(old ? packageMap(old) : [])].filter(isUnchanged).map(([, entry]) => entry);
  const declared = { wanted: [...wanted.values()], before: { listed: before }, adopt: true, redo };
  const { listed, error } = await changeSet(context, environmentPackages(context, given, redo), declared);
  if (error) throw new PartialSuccess(id, asInputs(given, listed), error);
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

/** What the environment holds, as inputs. */
function asInputs(given: Inputs, listed: readonly Wanted[]): Partial<Inputs> {
  const spelled = new Map((given.packages ?? []).map((entry) => [parsePackage(entry).name, entry]));
  const plain = listed.filter(({ ownRepo }) => !ownRepo);
  const own = listed.flatMap(({ ownRepo, name, repoUrl }) => (ownRepo && repoUrl ? [{ name, repoUrl }] : []));
  return {
    ...((given.packages || plain.length > 0) && {
      packages: plain.map((entry) => spelled.get(entry.name) ?? packageSpec(entry)),
    }),
    ...((given.repoPackages || own.length > 0) && { repoPackages: own }),
  };
}
