import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/**
 * Turns the TypeScript of a program's folders into JavaScript, because Pulumi loads the compiler anew for each run.
 * `npm run check` checks the types; the tests of the first steps, the template and the environment run TypeScript as
 * users do.
 */
export function compileProgram(folder: string, ...within: readonly string[]): void {
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const files = [".", ...within].flatMap((part) => readdirSync(join(folder, part)).map((name) => join(part, name)));
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    const { outputText } = ts.transpileModule(readFileSync(join(folder, file), "utf8"), { compilerOptions });
    writeFileSync(join(folder, file.replace(/ts$/, "js")), outputText);
    rmSync(join(folder, file));
  }
  const description = join(folder, "package.json");
  writeFileSync(description, readFileSync(description, "utf8").replace('"main": "index.ts"', '"main": "index.js"'));
}
