import { root } from "../../lib/project.mjs";
import { forSite, slugify } from "../markdown.mjs";
import { addressOf, notPages, sidebar } from "../pages.mjs";

const groups = sidebar();

export default {
  title: "Data Platform",
  description: "A Pulumi provider for a cloud data platform: resources, functions, tools",
  lang: "en",
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: root,
  srcExclude: notPages,
  rewrites: addressOf,
  cacheDir: "node_modules/.vitepress",
  // VitePress names packages to bundle for the server of --serve, which looks for them where the pages are.
  vite: { plugins: [{ name: "bundle-nothing", configResolved: (config) => config.optimizeDeps.include.splice(0) }] },
  markdown: { config: forSite, anchor: { slugify } },
  // The layout that a page names is one of the Pulumi registry.
  transformPageData: ({ frontmatter }) => ({ frontmatter: { ...frontmatter, layout: "doc" } }),
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: groups,
    nav: ["Get started", "Resources", "Troubleshooting"]
      .map((text) => ({ text, link: groups.find((group) => group.text === text).items[0].link }))
      .concat({ text: "All pages", link: "/pages.md" }),
  },
};
