/** Whether two spellings are the same version, as the packages of a language are compared. Only equality is needed. */

/** `wanted` may leave out the local part of a Python version: pip accepts 2.1.0+cpu for ==2.1.0. */
export function samePythonVersion(wanted: string, installed: string): boolean {
  if (wanted.includes("*")) return matches(wanted, installed);
  const [a, b] = [pythonVersion(wanted), pythonVersion(installed)];
  if (!a || !b) return wanted.trim().toLowerCase() === installed.trim().toLowerCase();
  return a.public === b.public && (a.local === undefined || a.local === b.local);
}

/** R knows numbers only, separated by dots or hyphens; conda writes underscores for hyphens. 1.0 is not 1.0.0. */
export function sameRVersion(wanted: string, installed: string): boolean {
  if (wanted.includes("*")) return matches(wanted, installed);
  const normalised = (version: string): string => version.trim().toLowerCase().split(/[-_.]/).map(number).join(".");
  return normalised(wanted) === normalised(installed);
}

/** `1.*` is any version that begins with 1, and that itself. */
function matches(wanted: string, installed: string): boolean {
  const [start = ""] = wanted.trim().toLowerCase().split("*", 1);
  const found = installed.trim().toLowerCase();
  return found.startsWith(start) || `${found}.` === start;
}

const separator = "[-_.]?";
const pythonPattern = new RegExp(
  [
    "^v?(?:(?<epoch>\\d+)!)?(?<release>\\d+(?:\\.\\d+)*)",
    `(?:${separator}(?<phase>alpha|beta|preview|pre|rc|a|b|c)${separator}(?<phaseNumber>\\d*))?`,
    `(?:-(?<bare>\\d+)|${separator}(?<post>post|rev|r)${separator}(?<postNumber>\\d*))?`,
    `(?:${separator}(?<dev>dev)${separator}(?<devNumber>\\d*))?`,
    "(?:\\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$",
  ].join(""),
);

const phases: Readonly<Record<string, string>> = { alpha: "a", beta: "b", c: "rc", pre: "rc", preview: "rc" };

/** A version in the form of PEP 440, or undefined for anything else. */
function pythonVersion(text: string): { readonly public: string; readonly local: string | undefined } | undefined {
  const parts = pythonPattern.exec(text.trim().toLowerCase())?.groups;
  if (!parts) return undefined;
  const { epoch = "0", release = "", phase, phaseNumber, bare, post, postNumber, dev, devNumber, local } = parts;
  const numbers = release.split(".").map(number).join(".");
  const suffixes = [
    phase && `${phases[phase] ?? phase}${number(phaseNumber)}`,
    (bare ?? post) && `post${number(bare ?? postNumber)}`,
    dev && `dev${number(devNumber)}`,
  ];
  return {
    public: [number(epoch), numbers.replace(/(?:\.0)+$/, ""), ...suffixes.map((suffix) => suffix ?? "")].join(" "),
    local: local?.split(/[-_.]/).map(number).join("."),
  };
}

/** Digits without leading zeros; anything else unchanged. An absent number is 0. */
function number(text: string | undefined): string {
  if (!text) return "0";
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, "") : text;
}
