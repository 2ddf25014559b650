import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addressOf, resolveLink, sidebar } from "../../../tools/site/pages.mjs";
import { root } from "../../harness/engine";

test.each([
  ["docs/cli.md", "drift.md#settings", "/drift.md#settings"],
  ["docs/resources/role.md", "../modes.md", "/modes.md"],
  ["docs/policies.md", "../README.md#first-steps-in-typescript", "/overview.md#first-steps-in-typescript"],
  ["docs/modes.md", "resources", "/pages.md#resources"],
  ["docs/modes.md", "#import", "#import"],
  ["docs/modes.md", "https://www.pulumi.com", "https://www.pulumi.com"],
  ["README.md", "docs/_index.md", "/index.md"],
  ["README.md", "examples/README.md", undefined],
  ["tools/site/pages.md", "docs/cli.md", "/cli.md"],
])("on the site, the link of %s to %s leads to %s", (page, link, target) => {
  expect(resolveLink(page, link)).toBe(target);
});

test("a link to nothing fails the build of the site", () => {
  expect(() => resolveLink("docs/cli.md", "drifts.md")).toThrow("docs/cli.md links to drifts.md, which does not exist");
});

test("the sidebar has every page once", () => {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `/${addressOf(`docs/${name.replaceAll("\\", "/")}`)}`);
  const links = sidebar().flatMap(({ items }) => items.map(({ link }) => link));
  expect(new Set(links).size).toBe(links.length);
  expect(pages.filter((page) => !links.includes(page))).toEqual([]);
});
