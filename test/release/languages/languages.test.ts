import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Emulator, type LoggedRequest, startEmulator } from "../../../emulator";
import { functions } from "../../../provider/functions";
import { resources } from "../../../provider/resources";
import { expectOk } from "../../harness/outcomes";
import { TestStack } from "../../harness/stack";
import { golang, plain, python, type Toolchain, whyNoPython } from "./toolchains";

/** The same environment written by hand in each language, with every resource and every function. */
const sources: Record<string, string> = {
  typescript: "index.ts",
  yaml: "Pulumi.yaml",
  go: "main.go",
  python: "__main__.py",
};
/** How a call of a function begins. */
const spellings: Record<string, (name: string) => string> = {
  typescript: (name) => `dataplatform\\.${name}(Output)?\\(`,
  yaml: (name) => `function: dataplatform:${name}$`,
  // Where a resource has the same name, Go calls the function Lookup.
  go: (name) =>
    `dataplatform\\.(${name[0]!.toUpperCase()}${name.slice(1)}|${name.replace("get", "Lookup")})(Output)?\\(ctx`,
  python: (name) => `dataplatform\\.${name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)}(_output)?\\(`,
};

const password = "only-in-this-test";
const minutes = 60_000;

/** What a language did in each step of a life. */
interface Life {
  readonly requests: Record<string, readonly string[]>;
  readonly outputs: Record<string, unknown>;
  readonly types: readonly string[];
}
const lives = new Map<string, Life>();

const toolchains: Record<string, () => Promise<Toolchain>> = {
  typescript: async () => ({ ...plain, env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } }),
  yaml: async () => plain,
  go: golang,
  python,
};

async function live(language: string): Promise<Life> {
  const emulator = await startEmulator({ extended: true, waitSeconds: 0, runSeconds: 0 });
  const { env, prepare } = await toolchains[language]!();
  const settings = { "dataplatform:extendedApi": "true", "dataplatform:mode": "plugin" };
  const stack = await TestStack.create({
    baseUrl: emulator.url,
    token: emulator.tokens["admin"]!,
    program: `test/release/languages/${language}`,
    config: { ...settings, "languages:revision": "1", "languages:password": password },
    env,
  });
  const requests: Life["requests"] = {};
  const names = new Map<string, string>();
  const step = async (name: string, work: () => ReturnType<TestStack["up"]>): Promise<Record<string, string>> => {
    emulator.clearRequests();
    const { changed } = await expectOk(work());
    learnNames(emulator, names);
    requests[name] = comparable(emulator.requests(5000).requests, names);
    return changed;
  };
  try {
    await prepare(stack.folder);
    await step("up", () => stack.up());
    const { text, resources } = await stack.exportState();
    expect(text).not.toContain(password);
    const outputs = await stack.outputs();
    expect(await step("preview", () => stack.preview())).toEqual({});
    await step("refresh", () => stack.refresh());
    expect(await step("preview after refresh", () => stack.preview())).toEqual({});
    stack.configure({ ...settings, "languages:revision": "2", "languages:password": password });
    const changed = await step("change", () => stack.up());
    expect(Object.keys(changed).sort()).toEqual(["packages", "query", "whitelist"]);
    await step("destroy", () => stack.destroy());
    return { requests, outputs, types: resources.map(({ type }) => type) };
  } finally {
    stack.remove();
    await emulator.close();
  }
}

/**
 * What the platform was asked, in an order that does not depend on the language's. Reads are shared as it happens, so
 * each counts once; a tag tells one submission from all others.
 */
function comparable(requests: readonly LoggedRequest[], names: ReadonlyMap<string, string>): string[] {
  const texts = requests.map(({ method, path, body }) => {
    const text = `${method} ${named(path, names)} ${JSON.stringify(body)}`;
    return { method, text: text.replace(/pulumi-dataplatform:[\w-]+/g, "pulumi-dataplatform:…") };
  });
  const writes = texts.filter(({ method }) => method !== "GET").map(({ text }) => text);
  const reads = new Set(texts.filter(({ method }) => method === "GET").map(({ text }) => text));
  return [...writes, ...reads].sort();
}

/** Names instead of the ids that the platform assigns in the order of creation, which is nobody's promise. */
function named(path: string, names: ReadonlyMap<string, string>): string {
  return path.replace(/\/(whitelist_ip|roles)\/([\d,]+)/g, (_, kind: string, ids: string) => {
    const found = ids.split(",").map((id) => names.get(`${kind} ${id}`) ?? id);
    return `/${kind}/${found.sort().join()}`;
  });
}

function learnNames(emulator: Emulator, names: Map<string, string>): void {
  const [account] = emulator.state().accounts;
  for (const { id, ip_cidr } of account!.whitelist) names.set(`whitelist_ip ${id}`, ip_cidr);
  for (const { id, name } of account!.roles) names.set(`roles ${id}`, name);
}

describe("one environment in every language", async () => {
  const without = await whyNoPython();
  if (without) process.stderr.write(`test/languages: Python is not tried, because ${without}\n`);
  describe.each(["typescript", "yaml", "go", ...(without ? [] : ["python"])])("%s", lifeIn);
});

function lifeIn(language: string): void {
  test("up, empty preview, refresh, change and destroy", { timeout: 20 * minutes }, async () => {
    lives.set(language, await live(language));
  });

  test("every resource and every function is there", () => {
    const { types } = lives.get(language)!;
    const missing = resources.filter(({ type }) => !types.includes(`dataplatform:index:${type}`));
    expect(missing.map(({ type }) => type)).toEqual([]);
    const source = readFileSync(join(__dirname, language, sources[language]!), "utf8");
    const called = (name: string): boolean => new RegExp(`\\b${spellings[language]!(name)}`, "m").test(source);
    expect(functions.map(({ name }) => name).filter((name) => !called(name))).toEqual([]);
  });

  test("the platform is asked the same, and the program sees the same", () => {
    const [mine, theirs] = [lives.get(language)!, lives.get("typescript")!];
    expect(mine.requests).toEqual(theirs.requests);
    expect(theirs.outputs["shown"]).toMatchObject(mine.outputs["shown"] as object);
  });
}
