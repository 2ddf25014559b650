/** Removes secret values from a text, however they are written in it. */
export interface Redactor {
  /** The text without the secrets. */
  (text: string): string;
  /** Whether the text may reveal part of a secret. Text from others is then better withheld. */
  hidesIn(text: string): boolean;
}

const mask = "[secret]";
/** Masking shorter values would garble every message. */
const minSecretLength = 4;
/** This many characters of a secret in a row, in text from others, are not a coincidence. */
const revealingLength = 8;
/** A server may encode what a proxy has already encoded. */
const maxDecodings = 3;

/**
 * Secrets are compared by letters and digits alone, without case, after every escape has been undone: a platform may
 * echo one trimmed, line by line, upper-cased, escaped or encoded.
 */
export function redactor(...secrets: readonly (string | undefined)[]): Redactor {
  const given = [
    ...new Set(secrets.filter((secret) => secret !== undefined && secret.length >= minSecretLength)),
  ] as string[];
  const wordless = given.filter(isWordless).map(visible);
  let pieces: readonly string[] | undefined;
  let fragments: ReadonlySet<string> | undefined;
  const redact = (text: string): string => {
    if (given.length === 0) return text;
    // Computed on first use: most operations log nothing.
    pieces ??= piecesOf(given);
    const exact = given
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, secret) => rest.replaceAll(secret, mask), text);
    return withoutBeginnings(withoutPieces(exact, pieces, wordless), given);
  };
  const hidesIn = (text: string): boolean => {
    if (given.length === 0) return false;
    fragments ??= fragmentsOf(given);
    return spellingsOf(text).some(
      ({ letters, marks }) =>
        containsAny(letters.text, fragments!) || wordless.some((secret) => marks.text.includes(secret)),
    );
  };
  return Object.assign(redact, { hidesIn });
}

/** Characters of a text, and where in it each of them came from. */
interface Excerpt {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A text with some of its escapes undone. */
interface Spelling {
  /** Its letters and digits, without case. */
  readonly letters: Excerpt;
  /** All its visible characters: secrets without letters are searched for here. */
  readonly marks: Excerpt;
}

/** One escape, or one character: JSON, JavaScript, URL and HTML. */
const token =
  /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|\\([nrtbf])|\\(.)|((?:%[0-9a-f]{2})+)|&#x([0-9a-f]+);|&#(\d+);|&(amp|lt|gt|quot|apos|nbsp);|([\s\S])/giy;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

interface Unit {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text as it is, and with its escapes undone, repeatedly. */
function spellingsOf(text: string): Spelling[] {
  let units: Unit[] = Array.from({ length: text.length }, (_, at) => ({ text: text[at]!, start: at, end: at + 1 }));
  const found = [spellingOf(units)];
  for (let round = 0; round < maxDecodings; round++) {
    const decoded = decode(units);
    if (decoded.length === units.length) break;
    units = decoded;
    found.push(spellingOf(units));
  }
  return found;
}

function decode(units: readonly Unit[]): Unit[] {
  const text = units.map((unit) => unit.text).join("");
  const decoded: Unit[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [start, end] = [units[match.index]!.start, units[token.lastIndex - 1]!.end];
    for (const character of characterOf(match)) decoded.push({ text: character, start, end });
  }
  return decoded;
}

function characterOf([
  all,
  unicode,
  hex,
  control,
  escaped,
  percent,
  hexEntity,
  entity,
  named,
]: RegExpExecArray): string {
  const code = unicode ?? hex ?? hexEntity;
  if (code !== undefined) return fromCode(Number.parseInt(code, 16));
  if (entity !== undefined) return fromCode(Number(entity));
  if (control !== undefined) return " ";
  if (escaped !== undefined) return escaped;
  if (named !== undefined) return entities[named.toLowerCase()]!;
  if (percent === undefined) return all;
  return Buffer.from(percent.replaceAll("%", ""), "hex").toString("utf8");
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

const letter = /[\p{L}\p{N}]/u;

function spellingOf(units: readonly Unit[]): Spelling {
  return {
    // One letter for one: some capitals have no single lower-case letter.
    letters: excerpt(
      units.filter(({ text }) => letter.test(text)),
      (text) => text.toLowerCase().charAt(0),
    ),
    marks: excerpt(units.filter(({ text }) => visible(text) !== "")),
  };
}

function excerpt(units: readonly Unit[], write = (text: string) => text): Excerpt {
  return {
    text: units.map(({ text }) => write(text)).join(""),
    starts: units.map(({ start }) => start),
    ends: units.map(({ end }) => end),
  };
}

/** Such as `?!$&%`, which has too few letters to compare. */
function isWordless(secret: string): boolean {
  return plainLetters(secret).length < minSecretLength && visible(secret).length >= minSecretLength;
}

/** Without backslashes too: those of a secret cannot be told from those of an escape. */
function visible(text: string): string {
  return text.replace(/[\s\\]/g, "");
}

function plainLetters(text: string): string {
  return [...text]
    .filter((one) => letter.test(one))
    .map((one) => one.toLowerCase().charAt(0))
    .join("");
}

/** What must not appear in a text: a secret, a line or a long word of it, and its base64 and hex forms. */
function piecesOf(secrets: readonly string[]): string[] {
  const pieces = new Set<string>();
  for (const secret of secrets) {
    const whole = plainLetters(secret);
    if (whole.length >= minSecretLength) pieces.add(whole);
    // Its lines, and what our own messages may name of it: the package of `name==version`, a folder of a path.
    for (const part of [...secret.split(/[\r\n]+/), ...secret.split(/[^\w.-]+/)])
      if (plainLetters(part).length >= revealingLength) pieces.add(plainLetters(part));
    for (const encoded of encodings(secret)) pieces.add(plainLetters(encoded));
  }
  return [...pieces].filter((piece) => piece.length >= minSecretLength).sort((a, b) => b.length - a.length);
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

function withoutPieces(text: string, pieces: readonly string[], wordless: readonly string[]): string {
  const spellings = spellingsOf(text);
  const hidden = spellings.flatMap(({ letters, marks }) => [...places(pieces, letters), ...places(wordless, marks)]);
  return hidden.length === 0 ? text : masked(text, hidden);
}

function places(pieces: readonly string[], { text, starts, ends }: Excerpt): [start: number, end: number][] {
  const found: [start: number, end: number][] = [];
  for (const piece of pieces)
    for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1))
      found.push([starts[at]!, ends[at + piece.length - 1]!]);
  return found;
}

function masked(text: string, ranges: readonly (readonly [start: number, end: number])[]): string {
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
    const letters = plainLetters(text);
    if (letters.length >= minSecretLength && letters.length < revealingLength) fragments.add(letters);
    for (let at = 0; at + revealingLength <= letters.length; at++)
      fragments.add(letters.slice(at, at + revealingLength));
  }
  return fragments;
}

function containsAny(letters: string, fragments: ReadonlySet<string>): boolean {
  for (const fragment of fragments) if (fragment.length < revealingLength && letters.includes(fragment)) return true;
  for (let at = 0; at + revealingLength <= letters.length; at++)
    if (fragments.has(letters.slice(at, at + revealingLength))) return true;
  return false;
}

/** Long texts are truncated with "…": the beginning of a secret may be left before it. */
function withoutBeginnings(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => {
    let clean = rest;
    for (let at = clean.indexOf("…"); at !== -1; at = clean.indexOf("…", at + 1)) {
      for (let length = Math.min(secret.length - 1, at); length >= minSecretLength; length--) {
        if (!clean.startsWith(secret.slice(0, length), at - length)) continue;
        clean = clean.slice(0, at - length) + mask + clean.slice(at);
        at += mask.length - length;
        break;
      }
    }
    return clean;
  }, text);
}
