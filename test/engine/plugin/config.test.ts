import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { messages } from "../../../provider/plugin/stubs";
import { ownEmulator, sharedEmulator } from "../../harness/emulators";
import { grpc } from "../../harness/grpc";
import { messageOf, PluginProcess, type Values, wireErrorOf } from "../../harness/plugin";
import { plainSecret } from "../../harness/secret-values";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const urn = "urn:pulumi:test::project::pulumi:providers:dataplatform::it";

const emulator = sharedEmulator();
let plugin: PluginProcess;
const start = async (env: NodeJS.ProcessEnv = {}): Promise<void> => {
  plugin = await PluginProcess.start(env);
  await plugin.handshake();
};
afterEach(() => plugin.stop());

async function checkConfig(config: Values, of = urn) {
  const request = messageOf(messages.CheckRequest, { urn: of, news: config });
  const answer = await plugin.call<InstanceType<typeof messages.CheckResponse>>("checkConfig", request);
  return {
    inputs: answer.getInputs()!.toJavaScript(),
    failures: answer.getFailuresList().map((failure) => failure.getReason()),
  };
}

const replacedBy = async (before: Values, after: Values) => (await diffConfig(before, after)).replaces;
const saidOf = (text: string) => expect.objectContaining({ urn, message: expect.stringContaining(text) });

async function diffConfig(before: Values, after: Values) {
  const request = messageOf(messages.DiffRequest, { urn, oldInputs: before, olds: before, news: after });
  const answer = await plugin.call<InstanceType<typeof messages.DiffResponse>>("diffConfig", request);
  return { changed: answer.getDiffsList(), replaces: answer.getReplacesList() };
}

describe("checkConfig", () => {
  test("keeps our settings, marks the token as secret, and drops anything else", async () => {
    await start();
    const kept = { baseUrl: "https://api.example.com", retries: 3 };
    expect(await checkConfig({ ...kept, apiToken: "abc-123", mode: "plugin", projectOwn: "x" })).toEqual({
      inputs: { ...kept, apiToken: plainSecret("abc-123") },
      failures: [],
    });
    const message = "dataplatform:projectOwn is not a setting of the provider, which ignores it";
    expect(plugin.log).toEqual([expect.objectContaining({ urn, message })]);
  });

  test("only a setting that is nearly ours is told of a project with our name, which has its own", async () => {
    await start();
    const given = { baseUrl: "https://a.example.com", apiToken: "one", office: "x", retires: 3, version: "1.0.0" };
    const ofDefault = urn.replace("::project::", "::dataplatform::").replace(/it$/, "default");
    expect((await checkConfig(given, ofDefault)).failures).toEqual([]);
    expect(plugin.log.map(({ message }) => message)).toEqual([expect.stringContaining("did you mean")]);
  });

  test("a misspelt setting of an explicit provider is an error: the environment's would be used", async () => {
    await start({ DATAPLATFORM_API_TOKEN: "of-another-account" });
    const { failures } = await checkConfig({ baseUrl: "https://a.example.com", apitoken: "one" });
    expect(failures).toEqual(["dataplatform:apitoken is not a setting; did you mean dataplatform:apiToken?"]);
    expect(plugin.log).toEqual([]);
  });

  test("a token from the environment is used, but not returned", async () => {
    await start({ DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["admin"]! });
    expect(await checkConfig({})).toEqual({ inputs: {}, failures: [] });
    await plugin.configure({});
    expect((await plugin.create("WhitelistedIp", { ipCidr: "203.0.113.50" })).id).not.toBe("");
  });

  test("one error lists everything missing, and how to set it", async () => {
    await start();
    const { failures } = await checkConfig({});
    const all = /dataplatform:baseUrl[\s\S]*dataplatform:apiToken[\s\S]*npx --no-install dataplatform emulator/;
    expect(failures).toEqual([expect.stringMatching(all)]);
    // The stack's configuration, which has no effect on it, would be the wrong advice.
    expect(failures[0]).toContain(
      'pass baseUrl (Python: base_url) to the provider "it", which does not read the stack',
    );
    expect(failures[0]).not.toContain("pulumi config set");
    const ofDefault = await checkConfig({}, urn.replace(/it$/, "default_0_2_0"));
    expect(ofDefault.failures[0]).toContain('run "pulumi config set dataplatform:baseUrl <value>"');
  });

  test("a setting that another resource will provide is not missing, and stays unknown", async () => {
    await start();
    expect(await checkConfig({ baseUrl: emulator.url, apiToken: unknown })).toEqual({
      inputs: { baseUrl: emulator.url, apiToken: plainSecret(unknown) },
      failures: [],
    });
    const { failures } = await checkConfig({ baseUrl: unknown, apiToken: "has space" });
    expect(failures.join()).toContain("cannot be sent in a header");
  });
});

describe("diffConfig", () => {
  test("a change replaces nothing, and that of the base URL is a warning", async () => {
    const before = { baseUrl: "https://a.example.com", apiToken: "one", retries: 3 };
    await start();
    expect(await diffConfig(before, { ...before, retries: "3" })).toEqual({ changed: [], replaces: [] });
    expect(await diffConfig(before, { ...before, apiToken: "two" })).toEqual({ changed: ["apiToken"], replaces: [] });
    await diffConfig(before, { ...before, baseUrl: "https://a.example.com/api/" });
    expect(plugin.log, "the same address in another spelling").toEqual([]);
    const after = { ...before, baseUrl: "https://b.example.com" };
    expect(await diffConfig(before, after)).toEqual({ changed: ["baseUrl"], replaces: [] });
    expect(plugin.log).toEqual([saidOf("the base URL changes")]);
    await start({ DATAPLATFORM_BASE_URL: before.baseUrl });
    const { baseUrl: _, ...fromEnvironment } = before;
    expect(await diffConfig(before, fromEnvironment)).toEqual({ changed: ["baseUrl"], replaces: [] });
    expect(plugin.log, "the same address, from the environment").toEqual([]);
  });
});

describe("accountId", () => {
  let settings: Values & { baseUrl: string; apiToken: string };
  beforeAll(() => {
    settings = { baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! };
  });
  const none = { changed: [], replaces: [] };

  test("another account replaces the provider; to say which one it is changes nothing", async () => {
    await start();
    const first = { ...settings, accountId: "1001" };
    const second = { ...settings, apiToken: emulator.tokens["otherAdmin"]!, accountId: "1002" };
    const replaced = expect.objectContaining({ replaces: ["accountId"] });
    expect(await diffConfig(settings, first)).toEqual(none);
    expect(await diffConfig(first, second)).toEqual(replaced);
    // Not by a slip: everything would be deleted, and nothing created.
    expect(await replacedBy(first, { ...first, accountId: "1002" })).toEqual([]);
    expect(await diffConfig(first, { ...first, apiToken: unknown, accountId: unknown })).toEqual(replaced);
    expect(await replacedBy(first, { ...first, apiToken: "rotated" })).toEqual([]);
    expect(plugin.log).toEqual([]);
  });

  test("where the state does not have it, the old token tells", async () => {
    await start();
    const other = { ...settings, apiToken: emulator.tokens["otherAdmin"]! };
    expect(await replacedBy(settings, { ...other, accountId: "1002" })).toEqual(["accountId"]);
    const ofDynamic = { "dataplatform:baseUrl": settings.baseUrl, "dataplatform:apiToken": settings.apiToken };
    expect(await replacedBy(ofDynamic, { ...other, accountId: "1002" })).toEqual(["accountId"]);
    expect(await replacedBy(settings, { ...settings, apiToken: "rotated", accountId: "1001" })).toEqual([]);
  });

  test("without it, a token that is not known yet is a warning", async () => {
    await start();
    expect(await replacedBy(settings, { ...settings, apiToken: unknown })).toEqual([]);
    expect(plugin.log).toEqual([saidOf("Pass accountId as well")]);
  });

  test("the environment's token goes to no platform that only a request names", async () => {
    const evil = await ownEmulator();
    await start({ DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["otherAdmin"]! });
    const [here, there] = [{ baseUrl: emulator.url }, { baseUrl: evil.url }];
    const [first, second] = [{ accountId: "1001" }, { accountId: "1002" }];
    // A token that is not known yet would be the environment's, too.
    for (const given of [there, { ...there, apiToken: unknown }])
      expect(await replacedBy({ ...here, ...first }, { ...given, ...second })).toEqual([]);
    expect(await replacedBy(there, { ...settings, ...first })).toEqual([]);
    expect(evil.requests().requests).toEqual([]);
    expect(await replacedBy({ ...here, ...first }, { ...here, ...second })).toEqual(["accountId"]);
    expect(await replacedBy({ ...there, ...first }, second)).toEqual(["accountId"]);
  });

  test("nothing is created with a token of another one", async () => {
    await start({ DATAPLATFORM_ACCOUNT_ID: "1003" });
    await plugin.configure({ ...settings, accountId: "1002" });
    const { details } = await wireErrorOf(plugin.create("WhitelistedIp", { ipCidr: "203.0.113.53" }));
    expect(details).toContain("accountId says that this belongs to account 1002, but the configured token belongs to");
  });
});

describe("configure", () => {
  test("happens once: nobody else gets the token sent to another address", async () => {
    await start();
    const settings = { baseUrl: emulator.url, apiToken: emulator.tokens["admin"]! };
    for (const _ of ["first", "again"]) await plugin.configure(settings);
    const error = await wireErrorOf(plugin.configure({ ...settings, baseUrl: "http://127.0.0.1:9" }));
    expect(error.code).toBe(grpc.status.FAILED_PRECONDITION);
    expect(error.details).toContain("is configured already");
    expect((await plugin.create("WhitelistedIp", { ipCidr: "203.0.113.52" })).id).not.toBe("");
  });

  test("without settings it is a failed precondition", async () => {
    await start();
    expect(await wireErrorOf(plugin.configure({}))).toMatchObject({
      code: grpc.status.FAILED_PRECONDITION,
      details: expect.stringContaining("the data platform is not configured"),
    });
  });
});
