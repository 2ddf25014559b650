import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../lib/project.mjs";

/** Pages outside docs/ that the site shows, and their addresses. */
const others = /** @type {const} */ ({
  "README.md": "overview.md",
  "CHANGELOG.md": "changes.md",
  "ARCHITECTURE.md": "architecture.md",
  "CONTRIBUTING.md": "contributing.md",
  "SECURITY.md": "security.md",
  "tools/site/pages.md": "pages.md",
});

export const notPages = ["!(docs|tools)/**/*", "tools/!(site)/**/*", `!(${rootPages().join("|")}).md`];

function rootPages() {
  return Object.keys(others).flatMap((path) => /^(\w+)\.md$/.exec(path)?.[1] ?? []);
}

/**
 * The address of a page within the site.
 * @param {string} path of the page in the repository
 */
export function addressOf(path) {
  if (path === "docs/_index.md") return "index.md";
  return path in others ? others[/** @type {keyof others} */ (path)] : path.replace(/^docs\//, "");
}

/**
 * Where a link of a page leads on the site; undefined for what is only in the repository.
 * @param {string} page the path of the page in the repository
 * @param {string} link
 * @returns {string | undefined}
 */
export function resolveLink(page, link) {
  if (/^(\w+:|#)/.test(link)) return link;
  const [file = "", anchor] = link.split("#");
  // The list of all pages is llms.txt, whose links start at the root.
  const from = page === "tools/site/pages.md" ? "" : posix.dirname(page);
  const target = posix.join(from, file).replace(/\/$/, "");
  if (!existsSync(join(root, target))) throw new Error(`${page} links to ${link}, which does not exist`);
  const folder = /^docs\/(\w+)$/.exec(target)?.[1];
  if (folder) return `/pages.md#${folder}`;
  if (!/^docs\/.*\.md$/.test(target) && !(target in others)) return undefined;
  return `/${addressOf(target)}${anchor ? `#${anchor}` : ""}`;
}

/** @typedef {{ text: string, link: string, about: string }} Page */

/**
 * Every page with its title and what it is about, by the headings of llms.txt, which is generated from the pages.
 * @returns {Map<string, Page[]>}
 */
function listed() {
  const [, ...sections] = readFileSync(join(root, "llms.txt"), "utf8").split(/^## /m);
  return new Map(
    sections.map((section) => {
      const lines = [...section.matchAll(/^- \[(.+?)\]\((\S+?\.md)\)(?:: (.*))?$/gm)];
      const pages = lines.map(([, title = "", path = "", about = ""]) => {
        const text = path === "README.md" ? "Overview" : title;
        return { text, link: `/${addressOf(path)}`, about };
      });
      return [section.split("\n")[0] ?? "", pages];
    }),
  );
}

/** What the page at this address is about. */
export function aboutPage(/** @type {string} */ address) {
  return [...listed().values()].flat().find(({ link }) => link === `/${address}`)?.about;
}

/** Guides by subject, in this order; one that is not named here is under "Background". */
const guides = {
  "Get started": ["index", "overview", "quickstart-*", "installation-configuration", "modes"],
  Tasks: ["environments", "export", "moving", "policies", "gitops*", "kubernetes-operator", "extended-api"],
  "Command line": ["cli", "access", "conform", "doctor", "drift", "explain", "rehearse"],
  Emulator: ["emulator"],
  Troubleshooting: ["troubleshooting", "reliability"],
};

/** The groups of the sidebar. */
export function sidebar() {
  const { Guides: found = [], "Begin here": first = [], ...rest } = Object.fromEntries(listed());
  const all = [...first, ...found];
  const named = Object.entries(guides).map(([text, names]) => ({
    text,
    items: names.flatMap((name) => all.filter(({ link }) => matches(link, name))),
  }));
  const taken = new Set(named.flatMap(({ items }) => items));
  const [start, tasks, ...tools] = named;
  const generated = Object.entries(rest).map(([text, items]) => ({ text, items }));
  const contributors = ["architecture", "contributing", "security"].map((name) => ({
    text: name[0]?.toUpperCase() + name.slice(1),
    link: `/${name}.md`,
  }));
  const background = { text: "Background", items: [...all.filter((page) => !taken.has(page)), ...contributors] };
  return [start, tasks, ...generated, ...tools, background].flatMap((group, index) =>
    group?.items.length ? [{ ...group, collapsed: index > 0 }] : [],
  );
}

/**
 * @param {string} link
 * @param {string} name
 */
function matches(link, name) {
  return name.endsWith("*") ? link.startsWith(`/${name.slice(0, -1)}`) : link === `/${name}.md`;
}
