import type { AnyResource } from "../../provider/core/define";
import { resources as definitions } from "../../provider/resources";
import { printable } from "../terminal/style";
import type { Declaration, Plan } from "./declare";
import type { Environment } from "./read";
import { source } from "./source";

/** More would bury the program under its comments. */
const mostTables = 200;

const headings: Readonly<Record<string, string>> = {
  Account:
    "The account. The API cannot change one: a changed value would make a new account, which protect refuses. It hides the keys, the region and the cluster settings: what you write here about them is taken as true.",
  WhitelistedIp: "Addresses from which users of the account may log in.",
  EnabledUser: "Users who may use the account. The API cannot disable a user: taking one out leaves the user enabled.",
  ObjectPolicy: "Who may do what. A policy is the whole of it: what others set is overwritten by the next up.",
};

export function programText(environment: Environment, { declarations, notes }: Plan, platform: string): string {
  const sections = [
    comment(`What ${platform} showed. Written by "dataplatform export"; from now on it is yours to edit.`),
    'import * as dataplatform from "pulumi-dataplatform";\n',
    `${comment("What exists already is not removed by accident. Take this off a resource when you mean to remove it.")}const adopted = { protect: true };\n`,
    ...Object.entries(headings).map(([type, heading]) => section(type, heading, declarations)),
    refusedText(environment),
    notesText(notes),
    tablesText(environment),
    hiddenText(),
  ];
  return sections.filter(Boolean).join("\n");
}

function section(type: string, heading: string, declarations: readonly Declaration[]): string {
  const own = declarations.filter((declaration) => declaration.type === type);
  if (own.length === 0) return "";
  return `${comment(heading)}${own.map(statement).join("")}`;
}

function statement({ type, name, inputs, remark }: Declaration): string {
  const beside = remark === undefined ? "" : ` // ${printable(remark)}`;
  const [before, after] = [`new dataplatform.${type}(${JSON.stringify(name)}, `, ", adopted);"];
  return `${before}${source(inputs, "", before.length + after.length)}${after}${beside}\n`;
}

function refusedText({ refused }: Environment): string {
  if (refused.length === 0) return "";
  return [
    comment(
      "The token may not read these parts, so nothing of them is here. Run the export again with a token that may, or declare by hand what you know.",
    ),
    ...refused.map(({ what, why }) => `// - ${printable(`${what}: ${why}`)}\n`),
  ].join("");
}

function notesText(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  return `${comment("Seen, and not declared:")}${notes.map((note) => `// - ${printable(note)}\n`).join("")}`;
}

function tablesText({ tables = [] }: Environment): string {
  if (tables.length === 0) return "";
  const lines = tables.slice(0, mostTables).map(({ name, columns = [] }) => {
    const shown = columns.map((column) => `${column.name} ${column.type}`).join(", ");
    return `// - default.${printable(name)}${shown ? ` (${printable(shown)})` : ""}\n`;
  });
  const more = tables.length > mostTables ? `// … and ${tables.length - mostTables} more\n` : "";
  const heading =
    "Hive tables of the schema default. Tables are not managed here; a PartitionSensor waits for partitions of one. Fill in the column and its values:";
  const example = `//   new dataplatform.PartitionSensor("ready", { schema: "default", table: ${source(tables[0]!.name)}, columns: [{ column: "…", values: ["…"] }] });\n`;
  return `${comment(heading)}${example}${lines.join("")}${more}`;
}

/** What no operation of the API shows: a form to fill in for each kind, and how to import it. */
function hiddenText(): string {
  const kinds = definitions.filter(({ read }) => !read).map(formOf);
  return `${comment("What the API cannot list. Declare what exists, with its real values, and import each by its id:")}${kinds.join("//\n")}`;
}

function formOf(definition: AnyResource): string {
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

/** Broken into lines that are good to read. */
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
