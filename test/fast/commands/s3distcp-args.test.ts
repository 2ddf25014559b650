import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoted, type S3DistCp, splitWords, subCommandArgs } from "../../../provider/platform/commands/s3distcp";
import { anyCharacter } from "../../harness/any-character";

/** A POSIX shell word splitter for this test: blanks, single quotes, double quotes, backslashes. */
function shellWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const add = (text: string): void => {
    word = (word ?? "") + text;
  };
  let state: "plain" | "single" | "double" = "plain";
  for (let index = 0; index < line.length; index++) {
    const letter = line[index]!;
    if (state === "single") {
      if (letter === "'") state = "plain";
      else add(letter);
    } else if (state === "double") {
      if (letter === '"') state = "plain";
      else if (letter === "\\" && '"\\$`'.includes(line[index + 1] ?? "\0")) add(line[++index]!);
      else add(letter);
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      add("");
      if (letter === "'") state = "single";
      else if (letter === '"') state = "double";
      else if (letter === "\\") add(line[++index] ?? "");
      else add(letter);
    }
  }
  if (state !== "plain") throw new Error(`unclosed quote in ${line}`);
  return word === undefined ? words : [...words, word];
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
const value = fc
  .array(fc.oneof(special, fc.string({ minLength: 1, maxLength: 4, unit: anyCharacter })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join("").replaceAll("\0", "0"));

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
        const expected = Object.fromEntries(
          Object.entries(given)
            .filter(([, option]) => option !== false && option !== undefined)
            .map(([name, option]) => [name, option === true ? true : String(option)]),
        );
        expect(parsed(subCommandArgs(given))).toEqual(expected);
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
    expect(splitWords("'--src a --srcPattern .*'")?.map(({ text }) => text)).toEqual([
      "--src",
      "a",
      "--srcPattern",
      ".*",
    ]);
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
