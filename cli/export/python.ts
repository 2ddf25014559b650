import { snake } from "../../provider/values/python";
import { printable } from "../terminal/style";
import { hasSecret, titleOf, typesFor } from "./kind-files";
import type { Declaration } from "./known";
import { headingOf, protection, sections } from "./program";
import { comment, Secret, type Syntax, source } from "./source";

const indent = "    ";

/** As black writes it. */
const python: Syntax = {
  width: 88,
  indent,
  mark: "#",
  space: "",
  key: literal,
  literal,
  secret: ({ key, isRequired }) => `config.${isRequired ? "require" : "get"}_secret(${literal(key)})`,
};

/** A module with a function that declares an account, for a program that knows its provider. */
export function pythonModule(
  title: string,
  declarations: readonly Declaration[],
  { isExtended = false, remarks }: { readonly isExtended?: boolean | undefined; readonly remarks: string },
): string {
  const kinds = typesFor(declarations).flatMap((type) => {
    const own = declarations.filter((declaration) => declaration.type === type);
    const about = camelToSnake(titleOf(type, isExtended) ?? "");
    return own.length === 0 ? [] : [`${about && comment(about, indent, python)}${own.map(statement).join("")}`];
  });
  const config = declarations.some(hasSecret) ? `${indent}config = pulumi.Config()\n` : "";
  return sections(
    comment(headingOf(title), "", python),
    "import pulumi\nimport pulumi_dataplatform as dataplatform\n\n",
    `${comment(protection, "", python)}def resources(opts: pulumi.ResourceOptions | None = None) -> None:
${indent}adopted = pulumi.ResourceOptions.merge(pulumi.ResourceOptions(protect=True), opts)
${config}`,
    ...kinds,
    remarks && `\n${remarks.replace(/^\/\//gm, python.mark)}`,
  );
}

/** What a comment shows for a table. */
export const pythonSensor = (table: string): string =>
  `dataplatform.PartitionSensor("ready", schema="default", table=${literal(table)}, columns=[{"column": "…", "values": ["…"]}])`;

function statement({ type, name, inputs, remark }: Declaration): string {
  const args = Object.entries(inputs).map(([key, value]) => ({ key: `${snake(key)}=`, value: renamed(value, key) }));
  const call = (text: string) => `${indent}dataplatform.${type}(${text})`;
  const ends = [literal(name), "opts=adopted"] as const;
  const wide = { ...python, width: Number.POSITIVE_INFINITY };
  const flat = [ends[0], ...args.map(({ key, value }) => `${key}${source(value, "", 0, wide)}`), ends[1]].join(", ");
  const inner = `${indent}${indent}`;
  const lines = [
    ends[0],
    ...args.map(({ key, value }) => `${key}${source(value, inner, key.length + 1, python)}`),
    ends[1],
  ];
  const text =
    call(flat).length <= python.width
      ? call(flat)
      : call(`\n${lines.map((line) => `${inner}${line},\n`).join("")}${indent}`);
  return `${text}${remark === undefined ? "" : `  # ${printable(remark)}`}\n`;
}

/** Their keys are the user's own. */
const maps = ["macros", "triggers", "values"];

/** Pulumi's SDK takes the properties of objects in snake case too. */
function renamed(value: unknown, of: string): unknown {
  if (typeof value !== "object" || value === null || value instanceof Secret || maps.includes(of)) return value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, of));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snake(key), renamed(item, key)]));
}

const camelToSnake = (text: string): string => text.replace(/\b[a-z]+[A-Z]\w*/g, snake);

/** Python knows the escapes of JSON, except for characters beyond the first 65536. */
function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null || value === undefined) return "None";
  const text = JSON.stringify(value);
  return printable(
    text.replace(/[\u{10000}-\u{10ffff}]/gu, (one) => `\\U${one.codePointAt(0)!.toString(16).padStart(8, "0")}`),
  );
}

/** Words that cannot be the name of a module. */
const reserved =
  /^(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield|None|True|False)$/;

export function isModuleName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.test(name);
}

/** A name of lower-case letters, digits and hyphens, as Python can write it. Different names stay different. */
export function pythonName(name: string): string {
  const words = name.replaceAll("-", "_");
  return isModuleName(words) ? words : `_${words}`;
}
