import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../lib/project.mjs";

/** Pages whose address is not their path under docs/. @type {Readonly<Record<string, string>>} */
const addresses = {
  "README.md": "overview.md",
  "CHANGELOG.md": "changes.md",
  "docs/_index.md": "index.md",
  "tools/site/pages.md": "pages.md",
};
export const notPages = ["!(docs|tools)/**/*", "tools/!(site)/**/*", "!(README|CHANGELOG).md"];

/** @param {string} path of a page in the repository */
export const addressOf = (path) => addresses[path] ?? path.replace(/^docs\//, "");

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
  if (!/^docs\/.*\.md$/.test(target) && !(target in addresses)) return undefined;
  return `/${addressOf(target)}${anchor ? `#${anchor}` : ""}`;
}

/**
 * The titles of all pages by the headings of llms.txt, which is generated from the pages.
 * @returns {Record<string, { text: string, link: string }[]>}
 */
function listed() {
  const [, ...sections] = readFileSync(join(root, "llms.txt"), "utf8").split(/^## /m);
  const pagesOf = (/** @type {string} */ section) =>
    [...section.matchAll(/^- \[(.+?)\]\((\S+?\.md)\)/gm)].map(([, title = "", path = ""]) => {
      return { text: path === "README.md" ? "Overview" : title, link: `/${addressOf(path)}` };
    });
  return Object.fromEntries(sections.map((section) => [/^.*/.exec(section)?.[0], pagesOf(section)]));
}

/** The guides by subject, in this order; one that is not named here is under "Background". */
const subjects = {
  "Get started": ["index", "overview", "quickstart-.*", "installation-configuration", "modes"],
  Tasks: ["environments", "export", "moving", "policies", "gitops.*", "kubernetes-operator", "extended-api"],
  "Command line": ["cli", "access", "conform", "doctor", "drift", "explain", "rehearse"],
  Emulator: ["emulator.*"],
  Troubleshooting: ["troubleshooting", "reliability"],
};

/** The groups of the sidebar. */
export function sidebar() {
  const { "Begin here": first = [], Guides: guides = [], ...generated } = listed();
  const all = [...first, ...guides];
  const named = (/** @type {string} */ name) => all.filter(({ link }) => new RegExp(`^/${name}\\.md$`).test(link));
  const groups = Object.entries(subjects).map(([text, names]) => ({ text, items: names.flatMap(named) }));
  const taken = groups.flatMap(({ items }) => items);
  const others = Object.entries(generated).map(([text, items]) => ({ text, items }));
  const background = { text: "Background", items: all.filter((page) => !taken.includes(page)) };
  return [...groups, ...others, background].map((group, index) => ({ ...group, collapsed: index > 0 }));
}
