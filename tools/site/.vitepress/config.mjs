import { root } from "../../lib/project.mjs";
import { forSite, slugify } from "../markdown.mjs";
import { aboutPage, addressOf, notPages, sidebar } from "../pages.mjs";

const groups = sidebar();

export default {
  title: "Data Platform",
  lang: "en",
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: root,
  srcExclude: notPages,
  rewrites: addressOf,
  cacheDir: "node_modules/.vitepress",
  markdown: { config: forSite, anchor: { slugify } },
  transformPageData: ({ frontmatter, relativePath }) => ({
    // The layout that a page names is one of the Pulumi registry.
    frontmatter: { ...frontmatter, layout: "doc" },
    description: aboutPage(relativePath) ?? "",
  }),
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: groups,
    nav: groups
      .filter(({ text }) => ["Get started", "Resources", "Troubleshooting"].includes(text))
      .map(({ text, items }) => ({ text, link: items[0].link }))
      .concat({ text: "All pages", link: "/pages.md" }),
  },
};
