import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { secretsOf } from "../../provider/core/secrets";
import { resources } from "../../provider/resources";
import { oneEach } from "../cases";
import { sharedEmulator } from "../harness/emulators";
import { shared } from "../harness/shared";
import { type Outcome, type Program, TestStack } from "../harness/stack";
import { expectOk, mode, story } from "../harness/stacks";

/**
 * Plants a canary in every secret of every resource, and looks for it in all output, logs and state. Driven by the
 * definitions and the cases: a new secret without a canary fails the first test.
 */

type Args = Readonly<Record<string, unknown>>;

/** The types with secrets, each with its case. */
const planted = new Map(
  resources
    .filter((definition) => secretsOf(definition).length > 0)
    .map((definition) => [
      definition.type,
      { life: oneEach.find(({ type }) => type === definition.type)!, names: secretsOf(definition) },
    ]),
);

/** Different forms, some of which are hard to recognise in an encoded text. */
function canary(name: string, index: number, round: string): string {
  const plain = `canary-${name.replace(".", "-")}`;
  if (/privateKey$/i.test(name)) return `-----BEGIN KEY-----\n${plain}-${round}\n-----END KEY-----`;
  return [`${plain}-${round}`, `${plain}/secret+${round}`, `${plain} "secret" ${round}`][index % 3]!;
}

/** The arguments of the case, with the canaries of a round in place of its secrets. */
function argsOf(type: string, round: string): Args {
  const { life, names } = planted.get(type)!;
  const inputs = names.filter((name) => at(life.secrets?.args ?? life.args, name) !== undefined);
  return inputs.reduce<Args>(
    (args, name, index) => withValue(args, name.split("."), canary(name, index, round)) as Args,
    life.secrets?.args ?? life.args,
  );
}

/** In every element of a list; what is no text keeps its shape, with the value in every text of it. */
function withValue(old: unknown, path: readonly string[], value: string): unknown {
  if (Array.isArray(old)) return old.map((one) => withValue(one, path, value));
  const [first, ...rest] = path;
  if (typeof old !== "object" || old === null) return value;
  if (first !== undefined) return { ...old, [first]: withValue((old as Args)[first], rest, value) };
  return Object.fromEntries(Object.entries(old).map(([key, one]) => [key, withValue(one, [], value)]));
}

function at(value: unknown, path: string): unknown {
  const inside = (found: unknown, key: string): unknown =>
    Array.isArray(found) ? inside(found[0], key) : (found as Record<string, unknown> | undefined)?.[key];
  return path.split(".").reduce<unknown>(inside, value);
}

test.each([...planted])("every secret of %s has a canary", (type, { life, names }) => {
  for (const name of names) {
    const found = at(argsOf(type, "1"), name) ?? life.secrets?.issued?.[name];
    expect(found, `${type}.${name} needs a value in the case's \`secrets\``).toBeDefined();
  }
});

const program = (round: string): Program =>
  Object.fromEntries([...planted.keys()].map((type) => [type, { type, args: argsOf(type, round) }]));

/**
 * At this log level, the engine and Pulumi's runtime print the properties of every resource with secrets in plain text,
 * whatever the provider. We cannot change that, so only those lines are excluded; a lower level would hide much more.
 */
const enginePayload =
  /"(?:msg|message)":"(?:eventSink::Debug\(<\{%reset%\}>)?(?:(?:Unm|M)arshaling property for RPC\[|RegisterResource RPC finished: )/;
const withoutEnginePayload = (text: string): string[] => text.split("\n").filter((line) => !enginePayload.test(line));
const flags = ["-v=9", "--logtostderr", "--logflow", "--diff"];

describe(`with the ${mode} provider`, () => {
  const emulator = sharedEmulator();
  const stack = shared(() => TestStack.create({ baseUrl: emulator.url, mode, flags }));
  let token: string;

  beforeAll(async () => {
    token = emulator.tokens["admin"]!;
    await stack.pulumi("config", "set", "--secret", "dataplatform:apiToken", token);
  });

  const secrets = (): string[] => ["canary-", token, ...[...planted.keys()].flatMap(issuedBy)];
  const issuedBy = (type: string): string[] =>
    Object.values(planted.get(type)!.life.secrets?.issued ?? {}).map((find) => find(emulator.state({ secrets: true })));

  /** Checks everything that the run left behind. */
  async function expectNoCanary({ stdout, stderr, diagnostics }: Outcome): Promise<void> {
    const log = withoutEnginePayload(stderr);
    expect(log.length, "verbose logging is on").toBeGreaterThan(50);
    const said = [stdout, ...log, ...diagnostics.map(({ message }) => message)].join("\n");
    const exported = (await stack.exportState()).text;
    const files = filesOf(stack.folder, /^(node_modules|program\.json|index\.js)/).map((path) =>
      withoutEnginePayload(readFileSync(path, "utf8")).join("\n"),
    );
    for (const secret of secrets()) {
      for (const written of [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]) {
        expect(linesWith(said, written), "output and log").toEqual([]);
        expect(linesWith(exported, written), "exported state").toEqual([]);
        for (const text of files) expect(linesWith(text, written), "files of the stack").toEqual([]);
      }
    }
  }

  const chapter = story();
  chapter("up sends the secrets but prints none", async () => {
    const up = await expectOk(stack.up(program("1")));
    const platform = JSON.stringify(emulator.state({ secrets: true }));
    for (const canary of canariesOf("1")) expect(platform).toContain(JSON.stringify(canary).slice(1, -1));
    expect(secrets().every((secret) => secret.length >= 7)).toBe(true);
    await expectNoCanary(up);
    const { resources: stored } = await stack.exportState();
    for (const { inputs, outputs } of stored)
      for (const { __provider: text } of [inputs, outputs])
        if (text !== undefined)
          expect(text).toMatch(/^exports\.handler=\(\)=>require\("pulumi-dataplatform\/dynamic"\)\.\w+$/);
  });

  chapter("preview of changed secrets and refresh print none", async () => {
    await expectNoCanary(await stack.preview(program("2")));
    await expectNoCanary(await stack.refresh());
  });

  /** An error answer that echoes known secrets. */
  const echo = (operation: string, ...known: readonly string[]) => {
    const body = { error: { error_code: 422, error_message: `no good: ${[...known, token].join(" and ")}` } };
    return { operation, kind: "respond", status: 422, latencyMs: 2000, body } as const;
  };

  chapter("errors that echo the secrets print none", async () => {
    const rules = [...planted].map(([type, { life }]) => echo(life.secrets!.create, ...canariesOf("3", type)));
    emulator.setFaults({ rules });
    const failed = await stack.up(program("3"));
    for (const type of planted.keys()) expect(failed.text).toContain(`cannot create ${type}: `);
    expect(failed.text).toContain("the platform's message is withheld");
    await expectNoCanary(failed);
  });

  chapter("a refresh whose answers echo the secrets prints none", async () => {
    const rules = [...planted].flatMap(([type, { life }]) =>
      life.secrets?.read ? [echo(life.secrets.read, ...issuedBy(type), ...canariesOf("1", type))] : [],
    );
    emulator.setFaults({ rules });
    const refreshed = await stack.refresh();
    expect(refreshed.text).toContain("the platform's message is withheld");
    await expectNoCanary(refreshed);
    emulator.clearFaults();
  });

  chapter("a secret whose name is misspelt is not printed with the error", async () => {
    const misspelt = [...planted].flatMap(([type, { names }]) => {
      const name = names.find((one) => typeof argsOf(type, "4")[one] === "string");
      const { [name ?? ""]: value, ...args } = argsOf(type, "4");
      return name ? [[type, { type, args: { ...args, [`${name}x`]: value } }] as const] : [];
    });
    expect(misspelt.length).toBeGreaterThan(1);
    const { code, stdout, diagnostics } = await stack.preview(Object.fromEntries(misspelt));
    expect(code).not.toBe(0);
    const said = [stdout, ...diagnostics.map(({ message }) => message)].join("\n");
    expect(said).toContain("is not a known property; did you mean");
    expect(linesWith(said, "canary-")).toEqual([]);
  });

  chapter("destroy prints none", async () => {
    const destroyed = await expectOk(stack.destroy());
    await expectNoCanary(destroyed);
  });
});

/** The canaries that a program of the given round passes, of one type or of all. */
function canariesOf(round: string, only?: string): string[] {
  const chosen = [...planted].filter(([type]) => only === undefined || type === only);
  return chosen.flatMap(([type, { names }]) =>
    names.map((name) => at(argsOf(type, round), name)).filter((value) => typeof value === "string"),
  );
}

function linesWith(text: string, secret: string): string[] {
  return text.split("\n").filter((line) => line.includes(secret));
}

function filesOf(folder: string, except: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !except.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesOf(path, /^$/) : entry.isFile() ? [path] : [];
    });
}
