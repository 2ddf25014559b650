import { join } from "node:path";
import { Clients } from "../provider/api/clients";
import { UsageError } from "./errors";
import { plan } from "./export/declare";
import { type Exported, filesFor } from "./export/files";
import { isAbout, type Known, knownFinder } from "./export/known";
import { type Layout, layoutOf, refuseEarly } from "./export/layout";
import { nextSteps } from "./export/next-steps";
import { type Options, readOptions } from "./export/options";
import { type Environment, readEnvironment } from "./export/read";
import { findTargets, type Target, type Targets } from "./export/targets";
import { writeFiles } from "./export/write";
import { Names, slug } from "./pulumi/names";
import { projectAt, runtimeOf } from "./pulumi/project";
import { nameOf } from "./pulumi/stack";
import { plural } from "./terminal/plural";
import { StatusLine } from "./terminal/status-line";

export const help = `Usage: dataplatform export [options] FOLDER

Reads existing accounts through the API (the account, its whitelist, users and Hive tables, and the
policies of objects that you name; with the extended API also roles, groups and data stores) and
writes a Pulumi program to FOLDER, one file for each kind, with a file for "pulumi import". After the
import, a preview shows no changes. What the API cannot list becomes a comment in the program to fill
in, unless --known supplies it. Changes nothing on the platform, and no existing file, except that an import
file with secrets of --known gets a line in .gitignore.

The platform and the token come from DATAPLATFORM_BASE_URL and DATAPLATFORM_API_TOKEN, from a file
with several tokens (--tokens), or from stacks and their providers (--stack). In a FOLDER inside the
project of those stacks, the code becomes a module of that project, in TypeScript or Python; anywhere
else, a new project in TypeScript. For a project in another language, only the files for
"pulumi import" are written.

Options:
  --missing        only what no stack manages yet: no stack of the project, or none of those that
                   --stack and --state name
  --tokens FILE    export the account of each token in this file ("-": standard input), one per line,
                   with or without a name before it. Each account gets a stack of its own
  --stack NAME     export the accounts of this stack's settings and of its providers. Repeatable
  --state FILE     with --missing: also count what this state manages, as "pulumi stack export"
                   writes it. Repeatable
  --cwd FOLDER     folder of the stacks' project (default: the current one)
  --known FILE     YAML or JSON with what you know and the API cannot show: a list of entries with
                   type, id and inputs. They go to the program and the import file
  --object T/ID    also export the policy of this object; T is note, cluster, scheduler or
                   environment. With several accounts: ACCOUNT:T/ID. Repeatable
  --skip PART      skip account, whitelist, users, tables, roles, groups or data-stores. Repeatable
  --name NAME      project name (default: the account's name)
  --force          overwrite existing files
  --help           show this text

Exit code: 0 done, 1 an error.

Example:
  dataplatform export --object note/501 --object cluster/511 ./platform
  dataplatform export --missing --stack prod ./adopted
  dataplatform export --tokens tokens.txt ./platform
`;

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const layout = layoutOf(options);
  // Check first: reading a large account takes a while.
  if (!options.force && !options.missing) refuseEarly(layout);
  const clients = new Clients();
  const progress = new StatusLine();
  try {
    const found = await findTargets(options, clients, progress);
    const exported = await readAll(options, layout, found, progress);
    for (const note of found.notes) warn(note);
    for (const { environment, plan: planned } of exported) warnAbout(environment, planned.warnings);
    const isRefused = exported.some(({ environment: { refused } }) => refused.length > 0);
    if (!options.missing && isRefused && exported.every(({ plan: { declarations } }) => declarations.length === 0))
      throw new Error(
        'nothing was exported: there is nothing but what was skipped; "dataplatform doctor" says what the token may read',
      );
    const full = exported.filter(({ plan: { declarations } }) => !options.missing || declarations.length > 0);
    if (full.length === 0) {
      process.stdout.write(
        `Nothing is missing: the stacks manage everything that the API lists of ${accountsIn(found)}${isRefused ? ", apart from what was skipped" : ""}.\n`,
      );
      return 0;
    }
    const files = filesFor(full, layout, projectOf(options, full));
    writeFiles(files, layout.folder, options.force);
    for (const name of files.secret)
      warn(`${join(layout.folder, name)} has secrets of --known in plain text; delete it after the import`);
    process.stdout.write(nextSteps(full, layout));
    warnAboutLanguage(options, layout);
    return 0;
  } finally {
    await clients.close();
  }
}

async function readAll(options: Options, layout: Layout, found: Targets, progress: StatusLine): Promise<Exported[]> {
  const { targets } = found;
  if (layout.kind === "root" && targets.length > 1)
    throw new UsageError(`the stacks have tokens of ${targets.length} accounts; name a folder inside the project`);
  const knownOf = knownFinder(options.known, targets);
  const objectsOf = objectsFinder(options, targets);
  const namesOf = namesFinder(layout, found);
  const exported: Exported[] = [];
  for (const target of targets) {
    const wanted = { skip: options.skip, objects: objectsOf(target), managers: target.managers };
    const environment = await readEnvironment(target.account, wanted, progress).catch((error: Error) => {
      throw targets.length === 1 ? error : named(error, target);
    });
    const told = knownOf(target).filter((entry) => !isManaged(entry, target));
    exported.push({ target, environment, plan: plan(environment, namesOf(target), told) });
  }
  return exported;
}

function isManaged(entry: Known, { account, managers: { holders, accountHolders } }: Target): boolean {
  const own = accountHolders.filter(({ id }) => id === account.id);
  return [...holders, ...own].some((holder) => isAbout(entry, holder));
}

function named(error: Error, { label, account }: Target): Error {
  const { place } = account.adopter;
  return new Error(`account ${label}${place ? ` (${place})` : ""}: ${error.message}`, { cause: error });
}

function objectsFinder({ objects }: Options, targets: readonly Target[]) {
  for (const { account, sourceType, sourceId } of objects)
    if (account === undefined ? targets.length > 1 : !targets.some(({ label }) => label === account))
      throw new UsageError(
        `--object ${sourceType}/${sourceId} ${account === undefined ? "must name its account" : `names the account ${account}`}; use ACCOUNT:${sourceType}/${sourceId}, where ACCOUNT is one of ${targets.map(({ label }) => label).join(", ")}`,
      );
  return ({ label }: Target) => objects.filter(({ account = label }) => account === label);
}

/** Accounts in one stack must not share a name; those with stacks of their own may. */
function namesFinder({ kind }: Layout, { sources }: Targets): (target: Target) => Names {
  if (kind === "project") return () => new Names();
  const perStack = new Map<string, Names>();
  return ({ account: { adopter } }) => {
    const stack = adopter.stack ?? "";
    const used = sources
      .filter((source) => source.stack === stack)
      .flatMap(({ state }) => state.map(({ urn }) => nameOf(urn)));
    const names = perStack.get(stack) ?? new Names(used);
    perStack.set(stack, names);
    return names;
  };
}

function projectOf({ name, missing }: Options, exported: readonly Exported[]) {
  const [{ environment, target }] = exported as readonly [Exported];
  const own = exported.length === 1 ? slug(environment.account?.name ?? target.account.name ?? "") : "";
  return { name: name ?? (own || "data-platform"), missing };
}

function warnAbout({ refused, warnings = [] }: Environment, more: readonly string[]): void {
  for (const { what, why } of refused) warn(`skipped ${what}: ${why}`);
  for (const message of [...warnings, ...more]) warn(message);
}

function warn(message: string): void {
  process.stderr.write(`warning: ${message}\n`);
}

/** Somebody who writes another language would not look for a project in TypeScript. */
function warnAboutLanguage({ cwd, fromStacks, tokens }: Options, { kind }: Layout): void {
  const language = runtimeOf(projectAt(cwd)) ?? "nodejs";
  if (kind === "project" && !fromStacks && tokens === undefined && language !== "nodejs")
    warn(`this is a project in TypeScript. For the one in ${language} here: dataplatform export --missing ./adopted`);
}

function accountsIn({ targets }: Targets): string {
  return targets.length === 1 ? "the account" : plural(targets.length, "account");
}
