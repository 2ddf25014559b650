import ts from "typescript";
import { parse, stringify } from "yaml";

const mark = "\n  # Made by `npm run generate` from examples/: the types that are not declared above.\n";

interface Example {
  readonly type: string;
  readonly file: string;
}

/** The program with a declaration of every type: one that it does not declare by hand is taken from its example. */
export function completed(text: string, examples: readonly Example[], codeOf: (file: string) => string): string {
  const [byHand = "", others = ""] = text.split(/(?=\nvariables:\n)/);
  const [kept = ""] = byHand.split(mark);
  const { resources } = parse(kept) as { resources: Record<string, { type: string }> };
  const declared = new Set(Object.values(resources).map(({ type }) => type));
  const made = examples
    .filter(({ type }) => !declared.has(`dataplatform:${type}`))
    .map(({ type, file }) => {
      const properties = argumentsIn(codeOf(file), type, `examples/${file}/index.ts`);
      const name = type.charAt(0).toLowerCase() + type.slice(1);
      return stringify({ [name]: { type: `dataplatform:${type}`, properties } }).replace(/^(?=.)/gm, "  ");
    });
  return made.length > 0 ? `${kept.trimEnd()}${mark}${made.join("")}${others}` : `${kept.trimEnd()}\n${others}`;
}

/** The arguments of the first resource of this type in a program. */
function argumentsIn(code: string, type: string, path: string): unknown {
  const find = (node: ts.Node): ts.NewExpression | undefined =>
    ts.isNewExpression(node) && node.expression.getText() === `dataplatform.${type}`
      ? node
      : ts.forEachChild(node, find);
  const [, args] = find(ts.createSourceFile(path, code, ts.ScriptTarget.ES2022, true))?.arguments ?? [];
  if (!args)
    throw new Error(`${path} ${code === "" ? "does not exist, and must declare" : "does not declare"} ${type}`);
  return literalOf(args, path);
}

function literalOf(node: ts.Node, path: string): unknown {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map((one) => literalOf(one, path));
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(node.properties.map((one) => [one.name?.getText(), literalOf(one, path)]));
  if (ts.isPropertyAssignment(node)) return literalOf(node.initializer, path);
  // The one secret of the program in YAML stands for all of them.
  if (/\.requireSecret\("\w+"\)$/.test(node.getText())) return { "fn::secret": `\${password}` };
  throw new Error(
    `${path}: write ${node.getText()} as a plain value, so that the other languages' examples can be made`,
  );
}
