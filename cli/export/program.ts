import type { AnyResource } from "../../provider/core/define";
import { resources as definitions } from "../../provider/resources";
import { printable } from "../terminal/style";
import type { Declaration, Plan } from "./declare";
import type { Environment } from "./read";
import { source } from "./source";

/** More would bury the program in comments. */
const maxTables = 200;

const headings: Readonly<Record<string, string>> = {
  Account:
    "The account. The API cannot update an account: changing a value would replace it with a new one, which protect prevents. The API does not return keys, region and cluster settings, so whatever you set here for them is assumed to be correct.",
  WhitelistedIp: "Addresses from which users of the account may log in.",
  EnabledUser:
    "Enabled users of the account. The API cannot disable a user: removing one here leaves the user enabled.",
  Role: "What the members of a group with this role may do.",
  Group:
    "Groups, with all their members and roles, as far as the platform shows them: the next up removes what others have added.",
  DataStore:
    'External databases. The API never shows their passwords: set the actual ones with "pulumi config set --secret". A password that is not set stays as it is on the platform. Add what this platform does not show, such as a gateway.',
  ObjectPolicy: "Who may do what. A policy is always complete: the next up overwrites what others have set.",
};

/** What differs with the extended API. */
const extendedHeadings: typeof headings = {
  Account:
    "The account. Only its keys and defloc can be changed: changing another value would replace it with a new one, which protect prevents. The API does not return keys, region and cluster settings, so whatever you set here for them is assumed to be correct.",
  EnabledUser:
    'Enabled users of the account. Removing one here leaves the user enabled, unless onDestroy is "disable".',
};

export function programText(environment: Environment, { declarations, notes }: Plan, platform: string): string {
  const titles = { ...headings, ...(environment.isExtended ? extendedHeadings : {}) };
  const hasSecrets = declarations.some(({ type }) => type === "DataStore");
  const sections = [
    comment(`The state of ${platform}, written by "dataplatform export". Edit it as you like.`),
    `${hasSecrets ? 'import * as pulumi from "@pulumi/pulumi";\n' : ""}import * as dataplatform from "pulumi-dataplatform";\n`,
    hasSecrets ? "const config = new pulumi.Config();\n" : "",
    `${comment("Protects existing resources from accidental removal. Remove this option from a resource before you delete it.")}const adopted = { protect: true };\n`,
    ...Object.entries(titles).map(([type, heading]) => section(type, heading, declarations)),
    refusedText(environment),
    notesText(notes),
    tablesText(environment),
    hiddenText(environment),
  ];
  return sections.filter(Boolean).join("\n");
}

function section(type: string, heading: string, declarations: readonly Declaration[]): string {
  const own = declarations.filter((declaration) => declaration.type === type);
  if (own.length === 0) return "";
  return `${comment(heading)}${own.map(statement).join("")}`;
}

function statement({ type, name, inputs, remark }: Declaration): string {
  const trailingComment = remark === undefined ? "" : ` // ${printable(remark)}`;
  const [before, after] = [`new dataplatform.${type}(${JSON.stringify(name)}, `, ", adopted);"];
  return `${before}${source(inputs, "", before.length + after.length)}${after}${trailingComment}\n`;
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

function tablesText({ tables = [] }: Environment): string {
  if (tables.length === 0) return "";
  const lines = tables.slice(0, maxTables).map(({ name, columns = [] }) => {
    const columnList = columns.map((column) => `${column.name} ${column.type}`).join(", ");
    return `// - default.${printable(name)}${columnList ? ` (${printable(columnList)})` : ""}\n`;
  });
  const more = tables.length > maxTables ? `// … and ${tables.length - maxTables} more\n` : "";
  const heading =
    "Hive tables of the schema default. Tables are not managed here, but a PartitionSensor can wait for partitions of one. Fill in the column and its values:";
  const example = `//   new dataplatform.PartitionSensor("ready", { schema: "default", table: ${source(tables[0]!.name)}, columns: [{ column: "…", values: ["…"] }] });\n`;
  return `${comment(heading)}${example}${lines.join("")}${more}`;
}

/** For each type that the API cannot list: a template to fill in, and how to import it. */
function hiddenText({ dataStores }: Environment): string {
  const isListed = ({ type, read }: AnyResource) => read !== undefined || (type === "DataStore" && dataStores);
  const kinds = definitions.filter((one) => !isListed(one) && isImportable(one)).map(templateOf);
  return `${comment("Types that the API cannot list. Declare what exists, with its real values, and import each by its id:")}${kinds.join("//\n")}`;
}

/** The roles of a group can only be imported where the extended API shows them, and then its groups are exported too. */
function isImportable({ fromId, importId }: AnyResource): boolean {
  try {
    fromId?.(importId.example);
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

function quoted(example: string): string {
  return /^[\w./@:=-]+$/.test(example) ? example : `'${example}'`;
}

/** Wraps the text into comment lines. */
function comment(text: string): string {
  const lines: string[] = [];
  let line = "//";
  for (const word of printable(text).split(" ")) {
    if (line.length + word.length >= 118) {
      lines.push(line);
      line = "//";
    }
    line += ` ${word}`;
  }
  return `${[...lines, line].join("\n")}\n`;
}
