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
  for (let start = 0; start < found.length; start++) {
    const length = found.slice(start).findIndex(({ type, info }) => type !== "fence" || !(info in languages));
    const blocks = found.slice(start, start + length);
    if (blocks.length < 2 || new Set(blocks.map(({ info }) => info)).size < blocks.length) continue;
    for (const block of blocks) block.info += ` [${languages[block.info]}]`;
    // The container that VitePress makes of ":::code-group".
    const [open, close] = [
      new Token("container_code-group_open", "div", 1),
      new Token("container_code-group_close", "div", -1),
    ];
    found.splice(start, length, open, ...blocks, close);
    start += length + 1;
  }
  return found;
}

/**
 * @param {Token[]} tokens
 * @param {string} page
 */
function followLinks(tokens, page) {
  let isOutside = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = token.attrGet("href") ?? "";
      const target = resolveLink(page, decodeURI(href));
      isOutside = target === undefined;
      if (target) token.attrSet("href", target);
      else toHtml(token, `<span title="${href.replace(/^(\.\.\/)+/, "")}, in the repository">`);
    } else if (token.type === "link_close" && isOutside) toHtml(token, "</span>");
  }
}

/**
 * @param {Token} token
 * @param {string} content
 */
function toHtml(token, content) {
  token.type = "html_inline";
  token.content = content;
}

/** The names that a repository's web page gives to headings, which links use. */
export function slugify(/** @type {string} */ heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}
