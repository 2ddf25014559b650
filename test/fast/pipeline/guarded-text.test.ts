import { describe, expect, test } from "vitest";
import { guardedChanges, isLoosening } from "../../../cli/pipeline/guarded";
import { readJson, readYaml } from "../../../cli/pipeline/guarded-text";
import { headConfig, hostGate, requireSameHost } from "../../../cli/pipeline/head-config";
import { eachWithCommit } from "./repository";

/* A file that another reader (the engine's YAML and JSON, npm's JSON) would read in another way is not interpreted. */

const hidden: [name: string, sign: string][] = [
  ["a lone carriage return", "\r"],
  ["the next line of Unicode", "\u0085"],
  ["a line separator", "\u2028"],
  ["a paragraph separator", "\u2029"],
  ["a byte order mark", "\ufeff"],
  ["a vertical tab", "\v"],
  ["a zero", "\0"],
  ["what is not UTF-8", "\ufffd"],
];
const good = "config:\n  dataplatform:baseUrl: https://platform.example.com\n  platform:readers: 1\n";
const before = {
  "Pulumi.yaml": "name: platform\nruntime: nodejs\n",
  "Pulumi.prod.yaml": good,
  "package.json": '{"name": "platform"}',
  "package-lock.json": '{"lockfileVersion": 3, "packages": {}}',
  "policies.json": "{}",
};

describe("a change with a sign that others read as the end of a line, or as nothing", () => {
  const at = eachWithCommit(before);

  test.each(hidden)("%s: what stands behind it is no comment, and nothing is sealed", async (_what, sign) => {
    const evil = `# a note${sign}  dataplatform:baseUrl: http://evil.example.com\n`;
    const head = at.repository.commit({ "Pulumi.prod.yaml": `${good}${evil}` });
    const [one] = await guardedChanges(at.base, head, "platform");
    expect(one!.changes).toEqual([
      { words: expect.stringMatching(/^it cannot be read: line 4 has a character .* \(U\+/), loosens: true },
    ]);
    await expect(headConfig(head, "prod")).rejects.toThrow("not verifiable: Pulumi.prod.yaml cannot be read: line 4");
    await expect(requireSameHost(at.base, "prod", {})).rejects.toThrow("Pulumi.prod.yaml cannot be read");
    const project = `${before["Pulumi.yaml"]}# the bank's${sign}main: evil/${sign}plugins: {providers: [{name: dataplatform, path: ./evil}]}\n`;
    const other = at.repository.commit({ "Pulumi.prod.yaml": good, "Pulumi.yaml": project });
    expect((await guardedChanges(at.base, other, "platform")).map(isLoosening)).toEqual([true]);
    await expect(headConfig(other, "prod")).rejects.toThrow("not verifiable: Pulumi.yaml cannot be read: line 3");
  });

  test.each(["package.json", "package-lock.json", "policies.json", "Pulumi.json"])(
    "%s with one, or with a name that is there twice, needs approval",
    async (path) => {
      const own = before[path as keyof typeof before] ?? "{}";
      for (const text of [own.replace("{", '{"description": "\u2028",'), own.replace("{", '{"all": {}, "all": {},')]) {
        const changes = await guardedChanges(at.base, at.repository.commit({ [path]: text }), "platform");
        expect(changes.map(({ path: of, changes: [first] }) => [of, first!.words, first!.loosens])).toEqual([
          [path, expect.stringContaining("cannot be read: "), true],
        ]);
      }
    },
  );

  test("a file that is too large to be read needs approval", async () => {
    const head = at.repository.commit({ "Pulumi.qa.yaml": `#${"x".repeat(20_000_001)}\n` });
    expect((await guardedChanges(at.base, head, "platform")).map(isLoosening)).toEqual([true]);
  });

  test("the engine's JSON takes CONFIG for config, so no address is read past it", async () => {
    const json = '{"CONFIG": {"dataplatform:baseUrl": "https://evil.example.com"}, "config": {}}';
    const head = at.repository.commit({ "Pulumi.json": '{"name": "platform"}', "Pulumi.prod.json": json });
    await expect(headConfig(head, "prod")).rejects.toThrow("Pulumi.prod.json cannot be read: a setting's name");
  });

  test.each(["../elsewhere", "stacks/../../x", "/etc", "stacks//x", "a\\b"])(
    "stacks in the folder %s are not looked for",
    async (folder) => {
      const text = `name: platform\nruntime: nodejs\nstackConfigDir: ${folder}\n`;
      const head = at.repository.commit({ "Pulumi.yaml": text });
      await expect(headConfig(head, "prod")).rejects.toThrow("not verifiable: stackConfigDir of Pulumi.yaml");
    },
  );

  test("an address over plain http is refused, also on the host that is allowed", async () => {
    const text = good.replace("https:", "http:").replace("  platform", "  dataplatform:allowInsecureHttp: true\n  p");
    const { baseUrl } = await headConfig(at.repository.commit({ "Pulumi.prod.yaml": text }), "prod");
    const env = (hosts: string) => ({ DATAPLATFORM_TOKEN_HOSTS: hosts });
    expect(hostGate(baseUrl, env("platform.example.com"))).toEqual([expect.stringContaining("over https unless")]);
    expect(hostGate(baseUrl, env("http://platform.example.com"))).toEqual([]);
  });
});

test.each([
  ["an alias", "a: &x 1\nb: *x\n"],
  ["an anchor", "a: &x 1\n"],
  ["a merge key", "config: {<<: {dataplatform:baseUrl: https://evil.example.com}}\n"],
  ["a tag", "a: !!binary aGk=\n"],
  ["a tag without a name", "a: !\n"],
  ["a directive", "%YAML 1.1\n---\na: 1\n"],
  ["a second document", "a: 1\n---\nb: 1\n"],
  ["an end of the document", "a: 1\n...\nb: 1\n"],
  ["a name twice", "a: 1\na: 2\n"],
  ["a list as a key", "? [a]\n: 1\n"],
  ["no name", "? \na: 1\n"],
  ["a name that begins with a sign", "a: {b: 1,?c: 2}\n"],
  ["a name in braces without a value", "a: {platform:x:, b: 1}\n"],
  ["a line in quotes that goes on", 'a: "b\\\n\n  c"\n'],
  ["a tab as indentation", "a:\n\tb: 1\n"],
])("YAML with %s is not read", (_what, text) => {
  expect(() => readYaml(text)).toThrow(/^(it|a name|a key|a line) /);
});

test.each([
  ["---\na: 1\r\nb:\r\n  - c\r\n", { a: 1, b: ["c"] }],
  ["# none\n", null],
  ['a: "x # y"\nb: \'it\'\'s\'\nc: |\n  one\n  two\n"d:e": {f: [1, 2], "g": "\\u2028"}\n', expect.anything()],
  ["config:\n  platform:office:\n    203.0.113.7: é\n  aws:region: eu\n", expect.anything()],
])("plain YAML is: %j", (text, value) => {
  expect(readYaml(text)).toEqual(value);
});

test("JSON is read as it is, and a name may be in several objects", () => {
  const text = '{"a": {"a": ["a", {"a": ":", "b\\"": "{"}]}, "b": "\\"a\\":"}';
  expect(readJson(text)).toEqual(JSON.parse(text));
  expect(() => readJson('{"a": 1, "\\u0061": 2}')).toThrow("a name is there twice");
  expect(() => readJson("\ufeff{}")).toThrow("line 1 has a character");
});
