import { invalid } from "../errors";

export interface Word {
  text: string;
  /** Whether it has a `*` outside single quotes, which a shell would expand. */
  bareStar: boolean;
}

/** Splits an argument string as a shell does: single quotes, double quotes and backslashes. */
export function splitWords(given: string): Word[] {
  const text = given.trim();
  // The whole string may be in single quotes instead of each expression.
  const whole = /^'([^']*)'$/.exec(text);
  if (whole && /\s/.test(whole[1] as string))
    return splitWords(whole[1] as string).map((word) => ({ ...word, bareStar: false }));
  const words: Word[] = [];
  let current: Word | undefined;
  let quote: string | undefined;
  const add = (letter: string, bareStar = false) => {
    current ??= { text: "", bareStar: false };
    current.text += letter;
    current.bareStar ||= bareStar;
  };
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] as string;
    if (quote !== undefined) {
      if (letter === quote) quote = undefined;
      else if (quote === '"' && letter === "\\" && text[index + 1] === '"') add(text[++index] as string);
      else add(letter, quote === '"' && letter === "*");
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      add("");
    } else if (letter === "\\" && index + 1 < text.length) {
      index += 1;
      // Keep the backslash: it is more often part of a regular expression than a shell escape.
      add(`\\${text[index]}`, text[index] === "*");
    } else if (/\s/.test(letter)) {
      if (current) words.push(current);
      current = undefined;
    } else add(letter, letter === "*");
  }
  if (quote !== undefined) throw invalid(`sub_command_args: a ${quote} is not closed`);
  if (current) words.push(current);
  return words;
}
