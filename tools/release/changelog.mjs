import { ToolError } from "../lib/say.mjs";

const unreleasedHeading = "## Unreleased";

/**
 * @param {string} text the whole CHANGELOG.md
 * @param {string} title "Unreleased" or a version
 * @returns {string | undefined} what stands under that heading
 */
export function section(text, title) {
  const lines = text.split("\n");
  const begin = lines.findIndex((line) => line === `## ${title}` || line.startsWith(`## ${title} `));
  if (begin < 0) return undefined;
  const length = lines.slice(begin + 1).findIndex((line) => line.startsWith("## "));
  return lines
    .slice(begin + 1, length < 0 ? undefined : begin + 1 + length)
    .join("\n")
    .trim();
}

/** Headings alone say nothing to users. @param {string} text */
export function checkUnreleased(text) {
  const found = section(text, "Unreleased");
  if (found?.split("\n").some((line) => line.trim() !== "" && !line.startsWith("#"))) return;
  const why = found === undefined ? `has no heading "${unreleasedHeading}"` : 'has nothing under "Unreleased"';
  throw new ToolError("CHANGELOG_EMPTY", `CHANGELOG.md ${why}. Write there what users will notice, and commit it.`);
}

/**
 * @param {string} text
 * @param {string} version
 * @param {string} date
 * @returns {string} the changelog with what was unreleased under the version, and an empty "Unreleased" above it
 */
export function withRelease(text, version, date) {
  return text.replace(`${unreleasedHeading}\n`, `${unreleasedHeading}\n\n## ${version} (${date})\n`);
}
