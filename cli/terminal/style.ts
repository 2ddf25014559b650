/** Without a terminal they return the text unchanged. */
export type Style = ReturnType<typeof styleOf>;

export interface OutputStream {
  readonly isTTY?: boolean;
}

/** Colour only on a terminal, unless NO_COLOR is set (https://no-color.org) or TERM is dumb. */
export function styleOf(stream: OutputStream) {
  const { NO_COLOR, TERM } = process.env;
  const colour = stream.isTTY === true && !NO_COLOR && TERM !== "dumb";
  const paint = (open: number, close: number) => (text: string) =>
    colour && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/**
 * Makes untrusted text safe to print: control characters could control the terminal, and characters that nobody sees, or
 * that turn the direction of a text, could make a line look like something else.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Cf}\u2028\u2029\u2800]/gu,
    (character) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );
}

/**
 * Makes whole lines of untrusted text safe for the log of a job. GitHub's runner obeys `##[…]` anywhere in a line, and
 * `::…` at its beginning, after whatever it takes for a blank; GitLab's obeys what follows an escape character. A line may
 * end at any control character but a tab.
 */
export function forRunner(lines: string): string {
  return (
    lines
      .replaceAll("##[", "## [")
      // It looks back, from each pair of colons: from each start of a line, a text of empty lines would take minutes.
      .replace(/::(?<=(?:^|[^\P{Cc}\t])[\s\p{Cc}\p{Cf}]*::)/gmu, ": :")
      .replaceAll("\u001b", "\\u001b")
  );
}
