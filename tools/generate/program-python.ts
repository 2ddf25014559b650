import { snake } from "../../provider/values/python";
import { type Code, group, layout } from "./layout";
import { type Declaration, type Program, partsOf, secretIn } from "./program";

/** As black writes it. */
const style = { width: 88, indent: "    " };

export function pythonProgram({ settings, declarations, outputs }: Program): string {
  const body = [
    ...settings.map((name) => `${name} = config.require("${name}")`),
    ...declarations.map((one) => statement(one, settings)),
    ...Object.entries(outputs).map(
      ([name, value]) => `pulumi.export("${name}", ${layout(expression(value, settings), style)})`,
    ),
  ].join("\n");
  const secrets = [...new Set(body.match(/(?<=require_secret\(")\w+/g))];
  const first = secrets.map((name) => `# Set it first: pulumi config set --secret ${name}\n`).join("");
  const config = body.includes("config.") ? `${first}config = pulumi.Config()\n` : "";
  const sdk = `${config || body.includes("pulumi.") ? "import pulumi\n" : ""}import pulumi_dataplatform as dataplatform`;
  return `${sdk}\n\n${config}${body}\n`;
}

function statement(declaration: Declaration, settings: readonly string[]): string {
  const { name, type, isFunction, args, dependsOn, isUsed } = declaration;
  const call = isFunction ? `${snake(type)}_output` : type;
  const own = Object.entries(args).map(([key, value]) => ({
    key: `${snake(key)}=`,
    value: expression(value, settings),
  }));
  const options = `pulumi.ResourceOptions(depends_on=[${dependsOn.map(snake).join(", ")}])`;
  const items = [
    ...(isFunction ? [] : [{ value: `"${name}"` }]),
    ...own,
    ...(dependsOn.length > 0 ? [{ key: "opts=", value: options }] : []),
  ];
  return layout([isUsed ? `${snake(name)} = ` : "", group(`dataplatform.${call}(`, items, ")")], style);
}

function expression(value: unknown, settings: readonly string[]): Code {
  const inner = (one: unknown): Code => expression(one, settings);
  if (Array.isArray(value))
    return group(
      "[",
      value.map((one) => ({ value: inner(one) })),
      "]",
    );
  if (typeof value === "object" && value !== null) {
    const secret = secretIn(value);
    // Our maps have only names that stay.
    const entries = Object.entries(value).map(([key, one]) => ({ key: `"${snake(key)}": `, value: inner(one) }));
    return secret ? `config.require_secret("${secret}")` : group("{", entries, "}");
  }
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" && value.includes("${") ? interpolated(value, settings) : JSON.stringify(value);
}

function interpolated(text: string, settings: readonly string[]): string {
  const parts = partsOf(text);
  const written = parts.map(({ reference, text }) => (reference ? snake(reference) : JSON.stringify(text)));
  if (parts.length === 1) return written[0]!;
  const isKnown = parts.every(({ reference }) => !reference || settings.includes(reference));
  return isKnown ? `f"${text.replaceAll("${", "{")}"` : `pulumi.Output.concat(${written.join(", ")})`;
}
