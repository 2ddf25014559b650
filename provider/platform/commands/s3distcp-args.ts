interface Options {
  readonly subCommandArgs?: string | undefined;
  readonly encryptionKey?: string | undefined;
  readonly [option: string]: string | number | boolean | undefined;
}

/** The options of S3DistCp as one `sub_command_args` string, quoted so that a shell splits it into the same values. */
export function subCommandArgs({ subCommandArgs: raw, encryptionKey, ...options }: Options): string {
  // The key goes last, so that the arguments can be cut off there before they are shown.
  const all: Omit<Options, "subCommandArgs"> = { ...options, encryptionKey };
  const built = Object.entries(all).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? `--${name}` : option(name, String(value))];
  });
  return [...(raw === undefined ? [] : [raw.trim()]), ...built].join(" ");
}

function option(name: string, value: string): string {
  // A value that starts with a dash would be parsed as the next option.
  return `--${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;
}

/**
 * Puts everything but plain words in single quotes: the API requires them around an expression with `*`, and no character
 * is special inside them. A single quote itself goes in double quotes, which all shell-like splitters agree on; they
 * differ on backslashes.
 */
export function quoted(value: string): string {
  if (/^[\w@%+=:,./-]+$/.test(value)) return value;
  return value
    .split(/('+)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("'") ? `"${part}"` : `'${part}'`))
    .join("");
}

export interface Word {
  readonly text: string;
  /** Whether it has a `*` outside single quotes. */
  readonly hasUnquotedStar: boolean;
}

/** Splits an argument string as a shell does. Undefined if a quote is not closed. */
export function splitWords(line: string): Word[] | undefined {
  // The API also allows single quotes around the whole string.
  const whole = /^\s*'(\s*-[^']*\s[^']*)'\s*$/.exec(line)?.[1];
  if (whole !== undefined) return splitWords(whole)?.map(({ text }) => ({ text, hasUnquotedStar: false }));
  const words: Word[] = [];
  const token = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\])/gsy;
  let word: Word | undefined;
  let at = 0;
  while (at < line.length) {
    token.lastIndex = at;
    const match = token.exec(line);
    if (!match) return undefined;
    at = token.lastIndex;
    const [all, single, double, escaped, plain] = match;
    const text = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (text === undefined) {
      if (word) words.push(word);
      word = undefined;
    } else {
      const unquotedStar = single === undefined && all.includes("*");
      word = { text: (word?.text ?? "") + text, hasUnquotedStar: (word?.hasUnquotedStar ?? false) || unquotedStar };
    }
  }
  return word ? [...words, word] : words;
}
