import type { AnyResource } from "../../provider/core/define";
import { resources as definitions } from "../../provider/resources";
import { quoted } from "../terminal/quote";
import { printable } from "../terminal/style";
import type { KindFile } from "./kind-files";
import type { Environment } from "./read";
import { comment, source } from "./source";

/** More would bury the program in comments. */
const maxTables = 200;
export const protection =
  "Protects existing resources from accidental removal. Remove this option from a resource before you delete it.";

/** The program of a project for one account. */
export function programText(title: string, files: readonly KindFile[], remarks: string): string {
  return sections(
    heading(title),
    imports(files),
    `${comment(protection)}const adopted = { protect: true };\n`,
    files.map(({ functionName }) => `${functionName}(adopted);\n`).join(""),
    remarks,
  );
}

/** A module with a function that declares an account, for a program that knows its provider or its stack. */
export function moduleText(title: string, files: readonly KindFile[], remarks: string): string {
  return sections(
    heading(title),
    `import type * as pulumi from "@pulumi/pulumi";\n${imports(files)}`,
    `${comment(protection)}export function resources(options: pulumi.CustomResourceOptions = {}): void {
  const adopted = { protect: true, ...options };
${files.map(({ functionName }) => `  ${functionName}(adopted);\n`).join("")}}\n`,
    remarks,
  );
}

/** The program of a project with one stack for each account: a stack loads the code of its own account only. */
export function manyAccountsText(title: string, folder: string): string {
  const naming =
    'Each account has a stack that is named after its folder. A stack with another name sets "account" in its configuration.';
  return sections(
    heading(title),
    'import * as pulumi from "@pulumi/pulumi";\n',
    `${comment(naming)}const account = new pulumi.Config().get("account") ?? pulumi.getStack();\n`,
    `require(\`./${folder}/\${account}\`).resources();\n`,
  );
}

const sensorOf = (table: string): string =>
  `new dataplatform.PartitionSensor("ready", { schema: "default", table: ${source(table)}, columns: [{ column: "…", values: ["…"] }] });`;

/** Comments: what is missing from the program, and what can be added to it. `sensor` declares one for a table. */
export function remarksText(
  environment: Environment,
  notes: readonly string[],
  withTemplates: boolean,
  sensor = sensorOf,
): string {
  return sections(
    refusedText(environment),
    notesText(notes),
    tablesText(environment, sensor),
    withTemplates ? hiddenText(environment) : "",
  );
}

/** One below the other, with an empty line between. */
export const sections = (...texts: readonly string[]): string => texts.filter(Boolean).join("\n");

export const headingOf = (title: string): string => `${title}, written by "dataplatform export". Edit it as you like.`;

const heading = (title: string): string => comment(headingOf(title));

function imports(files: readonly KindFile[]): string {
  return files.map(({ file, functionName }) => `import { ${functionName} } from "./${file}";\n`).join("");
}

function refusedText({ refused, isExtended }: Environment): string {
  if (refused.length === 0) return "";
  const or = isExtended ? ", or this installation cannot show them" : "";
  return [
    comment(
      `The token may not read these parts${or}, so they are missing here. Export again with a token that may, or declare them by hand.`,
    ),
    ...refused.map(({ what, why }) => `// - ${printable(`${what}: ${why}`)}\n`),
  ].join("");
}

function notesText(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  return `${comment("Found but not declared:")}${notes.map((note) => `// - ${printable(note)}\n`).join("")}`;
}

function tablesText({ tables = [] }: Environment, sensor: (table: string) => string): string {
  if (tables.length === 0) return "";
  const lines = tables.slice(0, maxTables).map(({ name, columns = [] }) => {
    const columnList = columns.map((column) => `${column.name} ${column.type}`).join(", ");
    return `// - default.${printable(name)}${columnList ? ` (${printable(columnList)})` : ""}\n`;
  });
  const more = tables.length > maxTables ? `// … and ${tables.length - maxTables} more\n` : "";
  const title =
    "Hive tables of the schema default. Tables are not managed here, but a PartitionSensor can wait for partitions of one. Fill in the column and its values:";
  const example = `//   ${sensor(tables[0]!.name)}\n`;
  return `${comment(title)}${example}${lines.join("")}${more}`;
}

/** For each type that the API cannot list: a template to fill in, and how to import it. */
function hiddenText({ dataStores }: Environment): string {
  const isListed = ({ type, read }: AnyResource) => read !== undefined || (type === "DataStore" && dataStores);
  const kinds = definitions.filter((one) => !isListed(one) && isImportable(one)).map(templateOf);
  return `${comment("Types that the API cannot list. Declare what exists, with its real values, and import each by its id:")}${kinds.join("//\n")}`;
}

/** The roles of a group can only be imported where the extended API shows them, and then its groups are exported too. */
function isImportable({ importId }: AnyResource): boolean {
  try {
    importId.tells?.(importId.example);
    return true;
  } catch {
    return false;
  }
}

function templateOf(definition: AnyResource): string {
  const { type, doc, importId, inputs } = definition;
  const required = Object.entries<{ safeParse(value: unknown): { success: boolean }; description?: string }>(
    inputs.shape,
  )
    .filter(([, schema]) => !schema.safeParse(undefined).success)
    .map(([name, { description }]) => `//     ${name}: …, // ${printable(description ?? "")}\n`);
  const name = type.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  return [
    `// - ${printable(doc.split("\n")[0]!)}\n`,
    `//   new dataplatform.${type}("${name}", {\n`,
    ...required,
    "//   }, adopted);\n",
    `//   pulumi import dataplatform:index:${type} ${name} ${quoted(importId.example)} --generate-code=false   # ${importId.format.replaceAll("`", "")}\n`,
  ].join("");
}
