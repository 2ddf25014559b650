import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { resources } from "../../provider/resources";
import { modelOf, type Shape } from "../../tools/generate/model";
import { oneEach } from "../cases";
import { root } from "../harness/engine";
import { wrongValues } from "../harness/wrong-values";

const folder = join(root, "test/engine/types");
const types = new Map<string, Shape>();

/** The arguments of the resource's case, which must compile, and each way to spoil one of them, which must not. */
const rows = resources.flatMap((definition) => {
  const { type, inputs } = modelOf(definition, types);
  const { args } = oneEach.find((life) => life.type === type)!;
  const required = inputs.filter((input) => input.required).map(({ name }) => name);
  const properties = Object.fromEntries(inputs.map(({ name, shape }) => [name, shape]));
  const wrong = wrongValues(args, { type: "object", properties, required }, types);
  const call = (given: unknown) => `new dataplatform.${type}("it", ${JSON.stringify(given)});`;
  return [call(args), ...wrong.map((given) => `// @ts-expect-error\n${call(given)}`)];
});

/** Compiles files of the folder, and one that is only in memory. */
function compile(made: string): string[] {
  const path = join(folder, "made.ts");
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => (name === path ? made : readFile(name));
  host.fileExists = (name) => name === path || fileExists(name);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === path ? ts.createSourceFile(name, made, version) : getSourceFile(name, version);
  const files = ["right-arguments.ts", "wrong-arguments.ts"].map((name) => join(folder, name));
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([...files, path], options, host));
  return problems.map(({ file, start = 0, messageText }) => {
    const text = file?.text.slice(start).split("\n").slice(0, 2).join("\n");
    return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}\n${text}`;
  });
}

test("valid arguments compile and invalid ones do not, against the package's declarations", () => {
  expect(rows.length).toBeGreaterThan(20 * resources.length);
  expect(compile(['import * as dataplatform from "pulumi-dataplatform";', ...rows].join("\n"))).toEqual([]);
});
