import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "../harness/engine";
import {
  engineMessages,
  folderPackMessage,
  otherSettingsMessage,
  versionedPluginMessage,
} from "../harness/engine-messages";

/* What a page shows as the output of a command or as a message must be what the source says. A message is built of
 * texts and values, so a line is compared with all texts in the source: what none of them covers must be values. */

const folders = ["provider", "sdk", "cli", "emulator", "policies"];
const pages = ["docs/doctor.md", "docs/drift.md", "docs/moving.md", "docs/emulator.md"];

/** The texts in the source: strings, and the parts of templates between the values. */
const texts = [...new Set(folders.flatMap(sourcesIn).flatMap(textsIn))]
  .flatMap((text) => text.split("\n"))
  .map((text) => text.trim())
  .filter((text) => /[a-z]{3}/.test(text))
  .sort((one, other) => other.length - one.length);

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => join(root, folder, name));
}

function textsIn(file: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest));
  return found;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Names that the pages made up, and everything that looks like an id, a number, an address, a path or JSON. */
const values =
  /\b(?:office|branch|nightly|dev|prod|shared|analytics|analysts|private|public)\b|https?:\S+|\S*[\d"'{}[\]/@…$<>_-]\S*/g;

/** The words of a line that neither a text of the source nor a value covers. */
function unknownWords(line: string): string[] {
  const covered = new Set<number>();
  const cover = (found: RegExp): void => {
    for (const { 0: text, index } of line.matchAll(found))
      for (let at = 0; at < text.length; at++) covered.add(index + at);
  };
  const lowerCase = line.toLowerCase();
  for (const text of texts) {
    // Few texts are in any one line, and a regular expression for each of thousands takes seconds.
    if (!lowerCase.includes(text.toLowerCase())) continue;
    const [before, after] = [/^\w/.test(text) ? "\\b" : "", /\w$/.test(text) ? "\\b" : ""];
    cover(new RegExp(`${before}${escaped(text)}${after}`, "gi"));
  }
  cover(values);
  const words = [...line.matchAll(/[A-Za-z]{3,}/g)];
  return words.filter(({ index }) => !covered.has(index)).map(([word]) => word);
}

const textOf = (page: string): string => readFileSync(join(root, page), "utf8");
const blocks = /^```(\w*)\n([\s\S]*?)^```$/gm;

const shown = pages.flatMap((page) =>
  [...textOf(page).matchAll(blocks)]
    .filter(([, language]) => language === "" || language === "console")
    .flatMap(([, , block]) => block!.split("\n"))
    .filter((line) => line.trim() !== "" && !line.startsWith("$ "))
    .map((line) => ({ page, line })),
);

const commands = /^(pulumi|npm|npx|node|dataplatform|curl|kubectl|venv|export|PATH|PULUMI)\b/;

/** Made from what tests found, not from what the source says. */
const fromTests = ["open-points.md", "reliability.md", "performance.md"];

/** Messages within the text: code of five words or more that is not a command. */
const quoted = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md") && !fromTests.includes(name))
  .flatMap((name) =>
    [
      ...textOf(`docs/${name}`)
        .replace(blocks, "")
        .matchAll(/`([^`\n]+)`/g),
    ].map(([, line]) => ({
      page: `docs/${name}`,
      line: line!,
    })),
  )
  .filter(({ line }) => line.split(" ").length >= 5 && !commands.test(line) && !/[{}()=]/.test(line));

/** Outside a project, npx would run a package of somebody else that has the name of the command. */
test.each(["README.md", "docs/cli.md", "docs/export.md", ...examplePages()])(
  "%s never lets npx install the command",
  (page) => {
    expect(textOf(page)).not.toMatch(/npx dataplatform/);
  },
);

function examplePages(): string[] {
  return readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
    .filter((name) => /^(?!.*node_modules).*README\.md$/.test(name))
    .map((name) => `examples/${name}`);
}

test("pages show output and messages", () => {
  expect(shown.length).toBeGreaterThan(40);
  expect(quoted.length).toBeGreaterThan(2);
});

test.each(shown)("$page: $line", ({ line }) => {
  expect(unknownWords(line)).toEqual([]);
});

test.each(quoted)("$page quotes $line", ({ line }) => {
  const fragments = line.split(values).map((fragment) => fragment.replace(/^[\s:,]+|[\s:,]+$/g, ""));
  const known = (fragment: string) => texts.some((text) => text.includes(fragment));
  if (![...engineMessages, folderPackMessage, otherSettingsMessage, versionedPluginMessage].includes(line))
    expect(fragments.filter((fragment) => !known(fragment))).toEqual([]);
});
