import type { S3DistCp } from "./s3distcp";

/** The typed options of S3DistCp as one `sub_command_args` string. What a shell splits it into is what was given. */
export function subCommandArgs({ subCommandArgs: raw, encryptionKey, ...options }: S3DistCp): string {
  // The key goes last: who shows the arguments to others cuts them off there.
  const built = Object.entries({ ...options, encryptionKey }).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? `--${name}` : option(name, String(value))];
  });
  return [...(raw === undefined ? [] : [raw.trim()]), ...built].join(" ");
}

function option(name: string, value: string): string {
  // A value that begins with a dash would be taken for the next option.
  return `--${name}${value.startsWith("-") ? "=" : " "}${quoted(value)}`;
}

/**
 * Single quotes around everything but plain words: the API asks for them around an expression with `*`, and nothing is
 * special inside them. A single quote itself goes into double quotes, which every shell-like splitter reads the same way
 * (a backslash is read differently by some).
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
  readonly bareStar: boolean;
}

/** The words of an argument string, as a shell splits it. Undefined when a quote is not closed. */
export function splitWords(line: string): Word[] | undefined {
  // The API allows single quotes around the whole string instead of around each expression.
  const whole = /^\s*'(\s*-[^']*\s[^']*)'\s*$/.exec(line)?.[1];
  if (whole !== undefined) return splitWords(whole)?.map(({ text }) => ({ text, bareStar: false }));
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
      const bare = single === undefined && all.includes("*");
      word = { text: (word?.text ?? "") + text, bareStar: (word?.bareStar ?? false) || bare };
    }
  }
  return word ? [...words, word] : words;
}
