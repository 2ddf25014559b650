import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { oneOf, UsageError } from "./errors";
import { type Plan, plan } from "./export/declare";
import { programText } from "./export/program";
import { projectFiles } from "./export/project";
import { type ObjectName, type Part, parts, readEnvironment } from "./export/read";
import { Reader, settingsAt } from "./platform/connect";
import { slug } from "./pulumi/names";
import type { Place } from "./pulumi/run";
import { plural } from "./terminal/plural";
import { StatusLine } from "./terminal/status-line";
import { packageVersion } from "./version";

const objectTypes = ["note", "cluster", "scheduler", "environment"] as const;

export const help = `Usage: dataplatform export [options] FOLDER

Reads an existing account through the API (the account, its whitelist, users and Hive tables, and the
policies of objects that you name; with the extended API also roles, groups and data stores) and
writes a Pulumi program to FOLDER, with a file for "pulumi import". After the import, a preview shows
no changes. What the API cannot list becomes a comment in the program to fill in. Changes nothing on
the platform and writes no secrets.

The platform and the token come from DATAPLATFORM_BASE_URL and DATAPLATFORM_API_TOKEN, or from a
stack's configuration (--stack).

Options:
  --object T/ID    also export the policy of this object; T is note, cluster, scheduler or
                   environment. Repeatable
  --skip PART      skip account, whitelist, users, tables, roles, groups or data-stores. Repeatable
  --name NAME      project name (default: the account's name)
  --stack NAME     take the settings from this stack
  --cwd FOLDER     folder of that stack's project (default: the current one)
  --force          overwrite existing files
  --help           show this text

Exit code: 0 done, 1 an error.

Example:
  dataplatform export --object note/501 --object cluster/511 ./platform
`;

interface Options {
  readonly folder: string;
  readonly objects: readonly ObjectName[];
  readonly skip: readonly Part[];
  readonly name: string | undefined;
  readonly place: Place | undefined;
  readonly force: boolean;
}

export async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  // Check first: reading a large account takes a while.
  if (!options.force) refuseOverwriting(options.folder);
  const reader = new Reader(await settingsAt(options.place));
  try {
    const { baseUrl, extendedApi } = reader.client.settings;
    const environment = await readEnvironment(reader, options, new StatusLine());
    const planned = plan(environment);
    const name = options.name ?? (slug(environment.account?.name ?? "") || "data-platform");
    const files = {
      "index.ts": programText(environment, planned, baseUrl),
      ...projectFiles(name, planned.declarations, { baseUrl, extendedApi, version: packageVersion() }),
    };
    write(options.folder, files);
    for (const { what, why } of environment.refused) process.stderr.write(`warning: skipped ${what}: ${why}\n`);
    for (const message of environment.warnings ?? []) process.stderr.write(`warning: ${message}\n`);
    process.stdout.write(ending(options.folder, planned));
    return 0;
  } finally {
    await reader.close();
  }
}

function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      object: { type: "string", multiple: true, default: [] },
      skip: { type: "string", multiple: true, default: [] },
      name: { type: "string" },
      stack: { type: "string", short: "s" },
      cwd: { type: "string" },
      force: { type: "boolean", default: false },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length !== 1)
    throw new UsageError("name exactly one folder to write the program to");
  if (values.name !== undefined && !/^[\w.-]{1,100}$/.test(values.name))
    throw new UsageError(`--name is ${JSON.stringify(values.name)}; use letters, digits, "_", "." and "-"`);
  const fromStack = values.stack !== undefined || values.cwd !== undefined;
  return {
    folder: resolve(folder),
    objects: [...new Set(values.object)].map(objectName),
    skip: values.skip.map((part) => oneOf("--skip", part, parts)),
    name: values.name,
    place: fromStack ? { cwd: resolve(values.cwd ?? "."), stack: values.stack } : undefined,
    force: values.force,
  };
}

function objectName(text: string): ObjectName {
  const [, type, sourceId] = /^(\w+)\/(\S+)$/.exec(text) ?? [];
  const sourceType = objectTypes.find((known) => known === type);
  if (!sourceType || !sourceId)
    throw new UsageError(
      `--object is ${JSON.stringify(text)}; use TYPE/ID, such as note/501, where TYPE is one of ${objectTypes.join(", ")}`,
    );
  return { sourceType, sourceId };
}

const writtenFiles = ["index.ts", "Pulumi.yaml", "package.json", "tsconfig.json", "import.json", ".gitignore"];

function refuseOverwriting(folder: string): void {
  const existing = writtenFiles.filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0)
    throw new Error(
      `${folder} already contains ${existing.join(", ")}; choose another folder, or overwrite with --force`,
    );
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function ending(folder: string, { declarations, requiredSecrets }: Plan): string {
  const secrets = requiredSecrets.map((key) => `  pulumi config set --secret ${key} < FILE\n`);
  return `${plural(declarations.length, "resource")} written to ${join(folder, "index.ts")}. Next:

  cd ${/^[\w./~-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}
  npm install
  pulumi stack init dev
  pulumi config set --secret dataplatform:apiToken     # or DATAPLATFORM_API_TOKEN
${secrets.join("")}  pulumi import --file import.json --generate-code=false --yes
  pulumi preview --expect-no-changes
`;
}
