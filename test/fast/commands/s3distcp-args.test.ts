import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoted, type S3DistCp, splitWords, subCommandArgs } from "../../../provider/platform/commands/s3distcp";
import { anyCharacter } from "../../harness/any-character";

/** The words that a POSIX shell would see: blanks, single quotes, double quotes, backslashes. */
function shellWords(line: string): string[] {
  const parts = [...line.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\s+)|[^\s'"\\]+/gsy)];
  if (parts.map(([all]) => all).join("") !== line) throw new Error(`unclosed quote in ${line}`);
  const words: (string | undefined)[] = [undefined];
  for (const [all, single, double, escaped, blank] of parts) {
    const text = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? all;
    if (blank === undefined) words.push((words.pop() ?? "") + text);
    else words.push(undefined);
  }
  return words.filter((word) => word !== undefined);
}

/** The options that a command would see. */
function parsed(line: string): Record<string, string | true> {
  const flags = new Set(["deleteOnSuccess", "numberFiles", "outputManifest"]);
  const given: Record<string, string | true> = {};
  const words = shellWords(line);
  for (let index = 0; index < words.length; index++) {
    const [, name = "", inline] = /^--(\w+)(?:=(.*))?$/s.exec(words[index]!) ?? [];
    given[name] = flags.has(name) ? true : (inline ?? words[++index]!);
  }
  return given;
}

/** Anything a regular expression or a path may contain, with extra weight on shell metacharacters. */
const special = fc.constantFrom(...Array.from("*'\"$\\ ()`\n-!~é𝒳"), "''", "$(x)");
const piece = fc.oneof(special, fc.string({ minLength: 1, maxLength: 4, unit: anyCharacter }));
const pieces = fc.array(piece, { minLength: 1, maxLength: 12 });
const value = pieces.map((parts) => parts.join("").replaceAll("\0", "0"));

const options: fc.Arbitrary<S3DistCp> = fc.record(
  {
    src: value,
    dest: value,
    srcPattern: value,
    groupBy: value,
    targetSize: fc.integer({ min: 1, max: 100_000 }),
    encryptionKey: value,
    deleteOnSuccess: fc.boolean(),
    numberFiles: fc.boolean(),
    outputManifest: fc.boolean(),
    previousManifest: value,
    tmpDir: value,
  },
  { requiredKeys: ["src", "dest"] },
);

describe("the arguments of S3DistCp", () => {
  test("arrive unchanged", () => {
    fc.assert(
      fc.property(options, (given) => {
        const set = Object.entries(given).filter(([, option]) => option !== false && option !== undefined);
        const expected = set.map(([name, option]) => [name, option === true ? true : String(option)]);
        expect(parsed(subCommandArgs(given))).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 500 },
    );
  });

  test("every * is inside single quotes", () => {
    fc.assert(
      fc.property(value, (text) => {
        const words = splitWords(`--groupBy ${quoted(text)}`);
        expect(words?.[1]).toEqual({ text, hasUnquotedStar: false });
      }),
      { numRuns: 500 },
    );
  });

  test("a raw string is kept, followed by the key", () => {
    expect(subCommandArgs({ subCommandArgs: " -Dx=y --src a --dest b ", encryptionKey: "k y" })).toBe(
      "-Dx=y --src a --dest b --encryptionKey 'k y'",
    );
  });

  test("a raw string may be single-quoted as a whole", () => {
    const words = splitWords("'--src a --srcPattern .*'")?.map(({ text }) => text);
    expect(words).toEqual(["--src", "a", "--srcPattern", ".*"]);
  });

  test("splits a raw string as a shell does", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), (words) => {
        const line = ["-Dx=y", ...words.map(quoted)].join(" ");
        expect(splitWords(line)?.map(({ text }) => text)).toEqual(shellWords(line));
      }),
      { numRuns: 200 },
    );
  });
});
