/** Deeper than any response of the API, and far less than what recursive code can handle. */
export const deepestAnswer = 100;

const backslash = 0x5c;

/** Whether JSON text is nested too deeply. Scans the text, so that nothing has to be parsed first. */
export function isTooDeep(text: string, deepest = deepestAnswer): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > deepest) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return false;
}

/** Where the string that begins here ends. Responses are mostly strings, and `indexOf` is faster than a loop. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
