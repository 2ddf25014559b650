/** Removes secret values from a text. */
export interface Redactor {
  /**
   * Our own text without the secrets, in every form in which we, or a common library, would write them, and without the
   * half of a surrogate pair that a cut may have left.
   */
  (text: string): string;
  /** Whether text from others may reveal part of a secret, in whatever form. It is then withheld whole. */
  hidesIn(text: string): boolean;
}

const mask = "[secret]";
/** Shorter values occur in every text, and masking them would garble every message. */
export const minSecretLength = 4;
/** This many characters of a secret in a row, in text from others, are not a coincidence. */
const revealingLength = 8;
/** A server may encode what a proxy has already encoded. */
const maxDecodings = 3;

/**
 * Texts are compared by their letters and digits alone, without case: a secret may be echoed trimmed, line by line, with
 * spaces between or in capitals. Everything takes time in proportion to the text, which may be a page of megabytes.
 */
export function redactor(...secrets: readonly (string | undefined)[]): Redactor {
  const given = [...new Set(secrets)].filter(
    (one): one is string => one !== undefined && one.length >= minSecretLength,
  );
  const wordless = given.filter(isWordless).map(visible);
  let pieces: readonly string[] | undefined;
  let fragments: ReadonlySet<string> | undefined;
  const redact = (text: string): string => {
    if (given.length === 0) return text.toWellFormed();
    // Computed on first use: most operations log nothing.
    pieces ??= piecesOf(given);
    const found = [...places(text, pieces, isLetter), ...places(text, wordless, isMark), ...cutOff(text, given)];
    return masked(text, found).toWellFormed();
  };
  const hidesIn = (text: string): boolean => {
    if (given.length === 0) return false;
    fragments ??= fragmentsOf(given);
    return spellingsOf(text).some(
      (spelling) =>
        containsAny(lettersOf(spelling), fragments!) || wordless.some((one) => visible(spelling).includes(one)),
    );
  };
  return Object.assign(redact, { hidesIn });
}

const letters = /[\p{L}\p{N}]/u;
const isLetter = (character: string): boolean => letters.test(character);
const isMark = (character: string): boolean => visible(character) !== "";

/** In capitals, because lower case depends on the letter's neighbours in some languages. */
function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "").toUpperCase();
}

/** Without backslashes too: those of a secret cannot be told from those of an escape. */
function visible(text: string): string {
  return text.replace(/[\s\\]+/g, "");
}

/** Such as `?!$&%`, which has too few letters to compare. */
function isWordless(secret: string): boolean {
  return lettersOf(secret).length < minSecretLength && visible(secret).length >= minSecretLength;
}

/** What must not appear in our own text: each form of a secret, of a line of it, and a long word of it. */
function piecesOf(secrets: readonly string[]): string[] {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    for (const form of formsOf(secret)) pieces.add(lettersOf(form));
    // What our messages may name of it: a line of a key, the package of `name==version`, a folder of a path.
    for (const part of [...secret.split(/[\r\n]+/), ...secret.split(/[^\w.-]+/)])
      if (lettersOf(part).length >= revealingLength) pieces.add(lettersOf(part));
  }
  return [...pieces].filter((piece) => piece.length >= minSecretLength);
}

/** The forms of a text whose letters differ from its own: JSON, URL and HTML escapes, base64 and hex. */
function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed());
  const inHtml = html(secret);
  const codes = (spell: (hex: string, code: number) => string) =>
    Array.from(secret, (one) => spell(one.codePointAt(0)!.toString(16), one.codePointAt(0)!)).join("");
  return [
    secret,
    JSON.stringify(secret),
    codes((hex) => `\\u${hex.padStart(4, "0")}`),
    codes((hex) => `\\x${hex.padStart(2, "0")}`),
    url,
    new URLSearchParams({ secret }).toString().slice("secret=".length),
    encodeURIComponent(url),
    Array.from(Buffer.from(secret), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    inHtml,
    html(inHtml),
    codes((_, code) => `&#${code};`),
    codes((hex) => `&#x${hex};`),
    ...encodings(secret),
  ];
}

const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };

function html(text: string): string {
  return text.replace(/[&<>"']/g, (one) => `&${entities[one]};`);
}

/** In base64 a text has three forms, depending on its offset; the first and last letters depend on the neighbours. */
function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(offset === 0 ? 0 : offset + 1, -1);
  });
  return [...base64, bytes.toString("hex")].filter((text) => text.length >= revealingLength);
}

type Range = readonly [start: number, end: number];

/** Where a text holds one of the pieces, if only characters of one sort count. */
function places(text: string, pieces: readonly string[], counts: (character: string) => boolean): Range[] {
  if (pieces.length === 0) return [];
  let compared = "";
  const ranges: Range[] = [];
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    if (counts(character)) {
      const capital = counts === isLetter ? character.toUpperCase() : character;
      compared += capital;
      // One entry for each unit of `compared`: a capital can be longer than its letter.
      for (let unit = 0; unit < capital.length; unit++) ranges.push([at, end]);
    }
    at = end;
  }
  const found: Range[] = [];
  for (const piece of pieces)
    for (let from = compared.indexOf(piece); from !== -1; from = compared.indexOf(piece, from + piece.length))
      found.push([ranges[from]![0], ranges[from + piece.length - 1]![1]]);
  return found;
}

/** Long texts are truncated with "…": the beginning of a secret may be left before it. */
function cutOff(text: string, secrets: readonly string[]): Range[] {
  if (!text.includes("…")) return [];
  return secrets.flatMap((secret) => {
    const shorter = borders(secret);
    const found: Range[] = [];
    let length = 0;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === "…" && length >= minSecretLength) found.push([at - length, at]);
      while (length > 0 && secret[length] !== text[at]) length = shorter[length - 1]!;
      if (secret[length] === text[at]) length++;
    }
    return found;
  });
}

/** For each beginning of a text, the longest shorter beginning that it ends with (Knuth, Morris and Pratt). */
function borders(text: string): number[] {
  const found = [0];
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[length] !== text[at]) length = found[length - 1]!;
    if (text[length] === text[at]) length++;
    found.push(length);
  }
  return found;
}

function masked(text: string, ranges: readonly Range[]): string {
  let clean = "";
  let from = 0;
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    if (end <= from) continue;
    clean += start >= from ? text.slice(from, start) + mask : "";
    from = end;
  }
  return clean + text.slice(from);
}

/** Every run of `revealingLength` letters of a secret and of its encodings. */
function fragmentsOf(secrets: readonly string[]): Set<string> {
  const fragments = new Set<string>();
  for (const text of secrets.flatMap((secret) => [secret, ...encodings(secret)])) {
    const compared = lettersOf(text);
    if (compared.length >= minSecretLength && compared.length < revealingLength) fragments.add(compared);
    for (let at = 0; at + revealingLength <= compared.length; at++)
      fragments.add(compared.slice(at, at + revealingLength));
  }
  return fragments;
}

function containsAny(compared: string, fragments: ReadonlySet<string>): boolean {
  for (const fragment of fragments) if (fragment.length < revealingLength && compared.includes(fragment)) return true;
  for (let at = 0; at + revealingLength <= compared.length; at++)
    if (fragments.has(compared.slice(at, at + revealingLength))) return true;
  return false;
}

/** One escape of JSON, JavaScript, URLs, HTML or quoted-printable. */
const escapeSequence =
  /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([nrtbf])|\\|((?:[%=][0-9a-f]{2})+)|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos|nbsp);/gi;

/** The text as it is, and with its escapes undone, repeatedly. */
function spellingsOf(text: string): string[] {
  const found = [text];
  for (let round = 0; round < maxDecodings; round++) {
    const decoded = found.at(-1)!.replace(escapeSequence, unescaped);
    if (decoded === found.at(-1)) break;
    found.push(decoded);
  }
  return found;
}

const characters: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function unescaped(all: string, ...groups: (string | undefined)[]): string {
  const [unicode, hex, control, bytes, hexEntity, entity, named] = groups;
  const code = unicode ?? hex ?? hexEntity;
  if (code !== undefined) return fromCode(Number.parseInt(code, 16));
  if (entity !== undefined) return fromCode(Number(entity));
  if (named !== undefined) return characters[named.toLowerCase()] ?? all;
  if (bytes !== undefined) return Buffer.from(bytes.replace(/[%=]/g, ""), "hex").toString("utf8");
  return control !== undefined ? " " : "";
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
