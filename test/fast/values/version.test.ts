import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { samePythonVersion, sameRVersion } from "../../../provider/values/version";

/** Every two of them, in both directions. */
const pairsOf = (spellings: readonly string[]) => spellings.flatMap((one) => spellings.map((other) => [one, other]));

describe("versions of Python packages", () => {
  test.each([
    ...["1.0|1.0.0|1", "1.2|v1.2|V1.2| 1.2 |0!1.2|00000000000000000001.2", "1.01|1.1", "1.0a1|1.0A1|1.0-alpha.1"],
    ...["1.0.beta_2|1.0b2", "1.0c1|1.0rc1", "1.0pre|1.0rc0", "1.0-preview-3|1.0RC3", "1.0-1|1.0.post1"],
    ...["1.0rev2|1.0.post2", "1.0.post|1.0.post0", "1.0dev|1.0.dev0", "1.0a1.post2.dev03|1.0a1.post2.dev3"],
    ...["2.1.0+CU118|2.1+cu118", "1.0+ubuntu-1|1.0+ubuntu.1", "1.0+007|1.0+7", "2024a_build|2024A_BUILD"],
  ])("are the same: %s", (spellings) => {
    for (const [wanted, installed] of pairsOf(spellings.split("|")))
      expect(samePythonVersion(wanted!, installed!), `${wanted} and ${installed}`).toBe(true);
  });

  test("one that is built for something is the version that is wanted", () =>
    expect(samePythonVersion("2.1.0", "2.1.0+cu118")).toBe(true));

  test.each([
    ["1.0", "1.0.1"],
    ["1.10", "1.1"],
    ["1.0", "10"],
    ["1!1.0", "1.0"],
    ["1.0", "1.0a1"],
    ["1.0a1", "1.0b1"],
    ["1.0a1", "1.0a2"],
    ["1.0", "1.0.post1"],
    ["1.0", "1.0.dev0"],
    ["1.0+cpu", "1.0"],
    ["1.0+cpu", "1.0+cu118"],
    ["1.0", "latest"],
    ["latest", "newest"],
    ["9007199254740993", "9007199254740992"],
  ])("%s is not %s", (wanted, installed) => expect(samePythonVersion(wanted, installed)).toBe(false));

  test("trailing zeros never matter, and another last number always does", () => {
    const release = fc.array(fc.nat(9999), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(release, fc.nat(3), (numbers, zeros) => {
        const version = numbers.join(".");
        expect(samePythonVersion(version, `${version}${".0".repeat(zeros)}`)).toBe(true);
        expect(samePythonVersion(version, [...numbers.slice(0, -1), numbers.at(-1)! + 1].join("."))).toBe(false);
      }),
    );
  });

  test("every version is the same as itself, whatever it is", () => {
    fc.assert(fc.property(fc.string(), (text) => samePythonVersion(text, text)));
  });

  test("a long version takes no long time", () => {
    const long = `1${".0".repeat(50_000)}x`;
    expect(samePythonVersion(long, long)).toBe(true);
  });
});

describe("versions of R packages", () => {
  test.each(["1.0-2|1.0.2|1.0_2", "7.3-60.0.1|7.3_60.0.1", "1.02|1.2", "3.4.0| 3.4.0"])(
    "are the same: %s",
    (spellings) => {
      for (const [wanted, installed] of pairsOf(spellings.split("|")))
        expect(sameRVersion(wanted!, installed!), `${wanted} and ${installed}`).toBe(true);
    },
  );

  test.each([
    ["1.0", "1.0.0"],
    ["1.0-2", "1.0-3"],
    ["1.10", "1.1"],
    ["3.4.0", "3.4.0.1"],
  ])("%s is not %s", (wanted, installed) => expect(sameRVersion(wanted, installed)).toBe(false));
});
