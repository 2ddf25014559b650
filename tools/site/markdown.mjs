import { relative, sep } from "node:path";
import { root } from "../lib/project.mjs";
import { resolveLink } from "./pages.mjs";

/**
 * What is used of markdown-it.
 * @typedef {{ type: string, content: string, info: string, children: Token[] | null,
 *   attrGet(name: string): string | null, attrSet(name: string, value: string): void }} Token
 * @typedef {{ tokens: Token[], env: { realPath?: string },
 *   Token: new (type: string, tag: string, nesting: number) => Token }} State
 * @typedef {{ core: { ruler: { push(name: string, rule: (state: State) => void): void } } }} MarkdownIt
 */

/** @type {Readonly<Record<string, string>>} */
const languages = { typescript: "TypeScript", python: "Python", go: "Go", yaml: "YAML" };

/** The pages are written to be read in a repository, too: what is special about the site is added here. */
export function forSite(/** @type {MarkdownIt} */ md) {
  md.core.ruler.push("languages", (state) => {
    state.tokens = withTabs(state);
  });
  md.core.ruler.push("links", ({ tokens, env }) => {
    if (!env.realPath) return; // a title alone
    const page = relative(root, env.realPath).replaceAll(sep, "/");
    for (const { children } of tokens) if (children) followLinks(children, page);
  });
}

/**
 * Blocks of code that stand next to each other, each in another language, are the same thing in these languages.
 * @param {State} state
 */
function withTabs({ tokens, Token }) {
  const found = [...tokens];
  for (let start = 0, end = 0; start < found.length; start = end + 1) {
    end = start;
    while (found[end]?.type === "fence" && (found[end]?.info ?? "") in languages) end++;
    const blocks = found.slice(start, end);
    if (blocks.length < 2 || new Set(blocks.map(({ info }) => info)).size < blocks.length) continue;
    for (const block of blocks) block.info += ` [${languages[block.info]}]`;
    // The container that VitePress makes of ":::code-group".
    found.splice(end++, 0, new Token("container_code-group_close", "div", -1));
    found.splice(start, 0, new Token("container_code-group_open", "div", 1));
  }
  return found;
}

/** @param {Token[]} tokens @param {string} page */
function followLinks(tokens, page) {
  let isOutside = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = token.attrGet("href") ?? "";
      const target = resolveLink(page, decodeURI(href));
      isOutside = target === undefined;
      if (target) token.attrSet("href", target);
      else Object.assign(token, { type: "html_inline", content: `<span title="${href}">` });
    } else if (token.type === "link_close" && isOutside)
      Object.assign(token, { type: "html_inline", content: "</span>" });
  }
}

/** The names that a repository's web page gives to headings, which links use. */
export function slugify(/** @type {string} */ heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
