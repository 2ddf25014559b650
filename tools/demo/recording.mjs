/**
 * A recording of the demonstration as one SVG: a picture for each act, one after the other by CSS alone, because forges
 * show an SVG as an image, where no script runs.
 */

/** @typedef {import("./screen.mjs").Act} Act */

const columns = 104;
const size = { char: 8.43, line: 20, left: 20, top: 64 };
const secondsOf = (/** @type {Act} */ { lines }) => 3 + lines.length / 4;

/** Progress, of which later lines say the result, and what is different in every run. */
const leftOut = [
  /^@ /,
  /^ [+~-] .* (creating|updating|deleting|refreshing|refresh)\b/,
  /^( [+~-]| {2}) {2}pulumi:/,
  /^ {4}\S+:\S+ \S+ +(running *)?$/,
  /^(Updating|Destroying) \(/,
  /^\$ pulumi (stack|config) /,
  /^(Created stack|Duration:|The resources in the stack|If you want to remove) ?/,
  /^\s*$/,
];

/**
 * What a reader of the picture needs: without progress, without what differs from run to run, in the picture's width.
 * @param {Act} act
 * @returns {Act}
 */
export function keyMoments({ title, lines }) {
  const kept = lines.filter((line) => !leftOut.some((pattern) => pattern.test(line)));
  return { title, lines: kept.map(withoutNoise) };
}

/** @param {string} line */
const withoutNoise = (line) =>
  line
    .replace(/ \(\d+(\.\d+)?s\)/, "")
    .replace(/(127\.0\.0\.1):\d+/g, "$1:4010")
    // What follows a result is among the diagnostics too.
    .replace(/^( [+~-] .* (?:created|updated|deleted)(?: \[[^\]]*\])?).*/, "$1")
    .trimEnd();

/**
 * @param {readonly Act[]} acts
 * @param {number} still index of the act for readers who do not want moving pictures
 * @returns {string}
 */
export function recording(acts, still) {
  const width = Math.round(2 * size.left + columns * size.char);
  const rows = acts.map(({ lines }) => lines.flatMap((line) => wrapped(line)).length);
  const height = size.top + Math.max(...rows) * size.line + 12;
  const ends = acts.map((_, index) => acts.slice(0, index + 1).reduce((sum, act) => sum + secondsOf(act), 0));
  const total = ends.at(-1) ?? 0;
  const timing = acts.map((act, index) => {
    const end = ends[index] ?? total;
    const [from, to] = [end - secondsOf(act), end].map((seconds) => `${((seconds / total) * 100).toFixed(2)}%`);
    return `.a${index}{animation:a${index} ${Math.round(total)}s step-end infinite}
@keyframes a${index}{0%{opacity:0}${from}{opacity:1}${to}{opacity:0}}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>npm run demo: ${escaped(acts.map(({ title }) => title).join("; "))}</title>
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d5dbe3;white-space:pre}
.command{fill:#fff;font-weight:600}.good{fill:#7ee2a0}.bad{fill:#ff8f8f}.note{fill:#f0cf7a}
.act{opacity:0}.a${still}{opacity:1}
@media (prefers-reduced-motion:no-preference){
${timing.join("\n")}
}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#171c23"/>
${acts.map((act, index) => picture(act, index, acts.length)).join("\n")}
</svg>
`;
}

/** @param {Act} act @param {number} index @param {number} count */
function picture({ title, lines }, index, count) {
  const rows = lines.flatMap((line) =>
    wrapped(line).map((part) => `${kindOf(line) && `class="${kindOf(line)}"`}>${inColours(part)}`),
  );
  const texts = [`class="command">${index + 1}/${count}  ${escaped(title)}`, ...rows].map(
    (row, at) => `<text x="${size.left}" y="${at === 0 ? 30 : size.top + (at - 1) * size.line}" ${row}</text>`,
  );
  return `<g class="act a${index}">\n${texts.join("\n")}\n</g>`;
}

/** @param {string} line @param {string} [indent] of what does not fit @returns {string[]} */
function wrapped(line, indent = `${/^ */.exec(line)?.[0]}    `) {
  if (line.length <= columns) return [line];
  const space = line.lastIndexOf(" ", columns);
  const end = space > indent.length ? space : columns;
  return [line.slice(0, end), ...wrapped(`${indent}${line.slice(end).trimStart()}`, indent)];
}

/** @type {[RegExp, string][]} */
const kinds = [
  [/^\$ /, "command"],
  [/^\s*\+ /, "good"],
  [/^\s*- /, "bad"],
  [/^\s*(~ |≠|warning:)/, "note"],
];

/** @param {string} line */
const kindOf = (line) => kinds.find(([pattern]) => pattern.test(line))?.[1] ?? "";

/** Verdicts stand next to each other in one line. @param {string} line */
const inColours = (line) =>
  escaped(line)
    .replace(/✓ \w+/g, '<tspan class="good">$&</tspan>')
    .replace(/✗ \w+/g, '<tspan class="bad">$&</tspan>')
    .replace(/\? not said/g, '<tspan class="note">$&</tspan>');

/** @param {string} value */
const escaped = (value) => value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
