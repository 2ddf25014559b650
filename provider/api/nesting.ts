/** Deeper than any answer of the API, and far less than what recursive code on it can bear. */
export const deepestAnswer = 100;

const quote = 0x22;
const backslash = 0x5c;

/** Whether JSON text is nested deeper than an answer may be. Looks at the text, so that nothing has to be built first. */
export function isTooDeep(text: string, deepest = deepestAnswer): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
