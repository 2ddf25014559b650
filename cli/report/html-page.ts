import { escaped, hash } from "./html-text";

export interface Page {
  /** Plain text. */
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** HTML, as is the rest. */
  readonly main: string;
  readonly footer: string;
  /** Between the footer and the script. */
  readonly after?: string;
}

/** A self-contained file that can be opened, sent and archived. It may load nothing, and run only its own script. */
export function htmlPage({ title, style, script, main, footer, after = "" }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
<footer>${footer}</footer>
${after}<script>${script}</script>
</body>
</html>
`;
}

export interface Header {
  readonly kicker: string;
  /** HTML. */
  readonly title: string;
  readonly checkedAt: string;
  /** HTML, each after the time. */
  readonly facts: readonly string[];
  /** A class of the headline. */
  readonly mood: string;
  /** Plain text. */
  readonly headline: string;
  /** HTML. */
  readonly more?: string;
}

/** What the report is about, when and where it was made, and the headline. */
export function htmlHeader({ kicker, title, checkedAt, facts, mood, headline, more = "" }: Header): string {
  const when = escaped(checkedAt.replace("T", " ").replace(/\.\d+Z$/, " UTC"));
  const meta = [`<time datetime="${escaped(checkedAt)}">${when}</time>`, ...facts].join(" · ");
  return `<header>
<p class="kicker">${escaped(kicker)}</p>
<h1>${title}</h1>
<p class="meta">${meta}</p>
<p class="headline ${mood}" role="status">${escaped(headline)}</p>${more}
</header>`;
}

/** `<code>` for each of them, as one fact. */
export function htmlAddresses(addresses: readonly string[]): string[] {
  const all = addresses.filter(Boolean).map((address) => `<code>${escaped(address)}</code>`);
  return all.length > 0 ? [all.join(", ")] : [];
}

export interface NextStep {
  readonly title: string;
  readonly text: string;
  readonly command?: string;
}

/** Each with its command, and a button to copy it. */
export function htmlSteps(steps: readonly NextStep[]): string {
  if (steps.length === 0) return "";
  const items = steps.map(
    ({ title, text, command }) =>
      `<li><div class="say"><h3>${escaped(title)}</h3><p>${escaped(text)}</p></div>${command ? htmlCommand(command) : ""}</li>`,
  );
  return `<section aria-labelledby="next"><h2 id="next">What to do next</h2><ol class="steps">${items.join("")}</ol></section>`;
}

export function htmlCommand(command: string): string {
  return `<div class="command"><code>${escaped(command)}</code><button type="button" class="copy">Copy</button></div>`;
}
