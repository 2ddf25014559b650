import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Emulator, LoggedRequest } from "../../../emulator";
import { components } from "../../../provider/components";
import { functions } from "../../../provider/functions";
import { resources } from "../../../provider/resources";
import { ensureLanguages, writeGoModule } from "../../../tools/engine/languages.mjs";
import { excerptSource } from "../../../tools/generate/languages";
import { readProgram } from "../../../tools/generate/program";
import { GoProgram } from "../../../tools/generate/program-go";
import { pythonProgram } from "../../../tools/generate/program-python";
import { typescriptProgram } from "../../../tools/generate/program-typescript";
import { ownEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { nameOf } from "../../harness/engine-events";
import type { Outcome } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";
import { step } from "../../harness/steps";

/** One environment with every resource, function and component, written in YAML and generated in the other languages. */
const yaml = readFileSync(join(root, excerptSource), "utf8");
const program = readProgram(yaml);
const schema = JSON.parse(readFileSync(join(root, "sdk/schema.json"), "utf8"));

const password = "only-in-this-test";

/** What a language did in each step of a life. */
interface Life {
  readonly requests: Record<string, readonly string[]>;
  readonly outputs: Record<string, unknown>;
  readonly types: readonly string[];
}

interface Language {
  readonly runtime: string;
  /** The program, by the name of its file. */
  readonly files: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  readonly prepare?: (folder: string) => void;
}

async function live({ runtime, files, env = {}, prepare }: Language): Promise<Life> {
  const emulator = await ownEmulator({ extended: true, waitSeconds: 0, runSeconds: 0 });
  const settings = { "dataplatform:extendedApi": "true", "dataplatform:mode": "plugin" };
  const config = { ...settings, "languages:revision": "1", "languages:password": password };
  const stack = await ownStack(emulator, { program: dirname(excerptSource), config, env });
  const requests: Life["requests"] = {};
  const names = new Map<string, string>();
  const run = async (name: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    emulator.clearRequests();
    const outcome = await expectOk(work());
    learnNames(emulator, names);
    requests[name] = comparable(emulator.requests(5000).requests, names);
    return outcome;
  };
  const [project] = yaml.split("\nconfig:");
  if (runtime !== "yaml")
    writeFileSync(join(stack.folder, "Pulumi.yaml"), project!.replace("runtime: yaml", `runtime: ${runtime}`));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(stack.folder, name), text);
  prepare?.(stack.folder);
  await run("up", () => stack.up());
  const { text, resources } = await stack.exportState();
  expect(text).not.toContain(password);
  const outputs = await stack.outputs();
  // One run for both: what the platform shows is what the state says, and what the program says.
  const { found, steps, text: said } = await run("refresh and preview", () => stack.operate("preview", "--refresh"));
  const differing = resources.map(({ urn }) => nameOf(urn)).filter((name) => found[name] !== "same");
  expect(differing, said).toEqual([]);
  expect(Object.keys(steps).sort(), said).toEqual(["refresh", "same"]);
  stack.configure({ ...settings, "languages:revision": "2", "languages:password": password });
  const { changed } = await run("change", () => stack.up());
  expect(Object.keys(changed).sort()).toEqual(["packages", "query", "whitelist"]);
  await run("destroy", () => stack.destroy());
  return { requests, outputs, types: resources.map(({ type }) => type).sort() };
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
  // Here, and not in a test: no time limit counts what must be compiled first. After `npm run test:release` nothing is left.
  const { go, python, whyNoPython } = await ensureLanguages();
  if (whyNoPython) process.stderr.write(`test/release/languages: Python is not tried, because ${whyNoPython}\n`);
  const languages: Record<string, Language> = {
    typescript: {
      runtime: "nodejs\nmain: index.ts",
      files: { "index.ts": typescriptProgram(program) },
      env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
    },
    yaml: { runtime: "yaml", files: {} },
    go: {
      runtime: "go",
      files: { "main.go": new GoProgram(program, schema).text() },
      env: go.env,
      prepare: writeGoModule,
    },
    ...(python && { python: { runtime: "python", files: { "__main__.py": pythonProgram(program) }, env: python.env } }),
  };
  const lives = new Map(
    Object.entries(languages).map(([name, language]) => [name, step(`the life in ${name}`, () => live(language))]),
  );

  test("every resource, function and component is there", () => {
    const declared = program.declarations.map(({ type }) => type);
    const wanted = [...resources.map(({ type }) => type), ...functions.map(({ name }) => name)];
    for (const name of [...wanted, ...components.map(({ type }) => type)]) expect(declared).toContain(name);
  });

  describe.each([...lives])("%s", (_, life) => {
    test("up, refresh and preview without changes, change and destroy", async () => {
      await life();
    });

    test("the platform is asked the same, and the program sees the same", async () => {
      const [mine, theirs] = [await life(), await lives.get("typescript")!()];
      expect(mine.requests).toEqual(theirs.requests);
      expect(mine.types).toEqual(theirs.types);
      expect(mine.outputs["shown"]).toEqual(theirs.outputs["shown"]);
      const done = expect.objectContaining({ status: "done" });
      const { history, ...seen } = mine.outputs["seen"] as { history: unknown[] };
      expect(history).toEqual(history.map(() => done));
      expect(seen).toEqual({ log: expect.any(String), whitelisted: expect.any(Array), stores: expect.any(Array) });
    });
  });
});
