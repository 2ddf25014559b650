import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defineRule, rules } from "../../../policies";
import { serve } from "../../../policies/server";
import { analyzer, Struct } from "../../../policies/stubs";
import { fromPulumi } from "../../../provider/engine/stubs";
import { Empty } from "../../../provider/plugin/stubs";
import { grpc } from "../../harness/grpc";
import { request, secret, stackRequest, unknownList, unknownText } from "./wire";

const failing = defineRule({
  ...{ name: "failing", description: "A rule that fails.", why: "Because.", fix: "Do.", types: ["Folder"] },
  checkResource: () => {
    throw new TypeError("out of order");
  },
});

type Answer = ReturnType<InstanceType<typeof analyzer.AnalyzeResponse>["toObject"]>;
type Call = (request: object, done: (error: Error | null, answer: { toObject(): unknown }) => void) => void;

const { AnalyzerClient } = fromPulumi("./proto/analyzer_grpc_pb.js") as {
  AnalyzerClient: new (address: string, credentials: object) => Record<string, Call> & { close(): void };
};
let client: InstanceType<typeof AnalyzerClient>;

// One for each test, because it is configured once.
beforeEach(async () => {
  const port = await serve({ name: "pack", version: "1.2.3", rules: [...rules, failing] });
  client = new AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
});
afterEach(() => client.close());

async function call<T = Answer>(method: string, message: object): Promise<T> {
  return (await promisify(client[method]!.bind(client))(message)).toObject() as T;
}

async function found(method: "analyze" | "analyzeStack", message: object): Promise<string[]> {
  const { diagnosticsList } = await call(method, message);
  return diagnosticsList.map(({ policyname, message: text }) => `${policyname}: ${text.split(". ", 1)[0]}`);
}

type Plain = Parameters<typeof Struct.fromJavaScript>[0];

function configure(config: Readonly<Record<string, { level?: number; options?: object }>>): Promise<unknown> {
  const message = new analyzer.ConfigureAnalyzerRequest();
  for (const [name, { level = analyzer.EnforcementLevel.ADVISORY, options = {} }] of Object.entries(config)) {
    const own = new analyzer.PolicyConfig();
    own.setEnforcementlevel(level as 0);
    own.setProperties(Struct.fromJavaScript(options as Plain));
    message.getPolicyconfigMap().set(name, own);
  }
  return call("configure", message);
}

const dynamic = "pulumi-nodejs:dynamic/dataplatform:";
const plugin = "dataplatform:index:";

describe("the pack", () => {
  test("tells its rules, their levels and options", async () => {
    const policiesList = [...rules, failing].map(({ name }) => expect.objectContaining({ name }));
    const info = { name: "pack", version: "1.2.3", supportsconfig: true, policiesList };
    expect(await call("getAnalyzerInfo", new Empty())).toMatchObject(info);
    expect(await call("getPluginInfo", new Empty())).toMatchObject({ version: "1.2.3" });
    await expect(call("cancel", new Empty())).resolves.toBeDefined();
  });

  test.each([dynamic, plugin])("judges a resource of type %s", async (prefix) => {
    const office = request(`${prefix}WhitelistedIp`, "office", { ipCidr: "::/0", __provider: "x" });
    expect(await found("analyze", office)).toEqual([expect.stringMatching(/^whole-internet: WhitelistedIp office: /)]);
    expect(await found("analyze", request(`${prefix}DataStore`, "db", {}))).toEqual([
      "protected-data: DataStore db: has no protect",
    ]);
  });

  test("sees which values are secret, and says nothing about unknown ones", async () => {
    const store = (properties: object) =>
      found("analyze", request(`${plugin}DataStore`, "db", properties, { protect: true }));
    expect(await store({ dbPasswd: "hidden" })).toEqual([
      "plaintext-secrets: DataStore db: dbPasswd is not marked as a secret",
    ]);
    for (const dbPasswd of [secret("hidden"), unknownText, secret(unknownText), null])
      expect(await store({ dbPasswd })).toEqual([]);
    const list = request(`${dynamic}IpWhitelist`, "it", { addresses: unknownList, exclusive: unknownText });
    expect(await found("analyze", list)).toEqual([]);
  });

  test("knows what the stack's configuration does not encrypt", async () => {
    const stack = new analyzer.AnalyzerStackConfigureRequest();
    const config = {
      plain: "hidden-1",
      object: '{"a":{"b":["hidden-2"]}}',
      secret: "hidden-3",
      short: "root",
      odd: "{",
    };
    for (const [key, value] of Object.entries(config)) stack.getConfigMap().set(`p:${key}`, value);
    stack.setConfigSecretKeysList(["p:secret"]);
    await call("configureStack", stack);
    const passwords = ["hidden-1", "hidden-2", "hidden-3", "root"];
    const answers = passwords.map((dbPasswd) =>
      found("analyze", request(`${plugin}DataStore`, "db", { dbPasswd: secret(dbPasswd) }, { protect: true })),
    );
    const sources = (await Promise.all(answers)).map(([one = ""]) => /comes from (\S+),/.exec(one)?.[1]);
    expect(sources).toEqual(["p:plain", "p:object", undefined, undefined]);
    // Whoever says later that nothing is plain wants to hide a password.
    const nothing = call("configureStack", new analyzer.AnalyzerStackConfigureRequest());
    await expect(nothing).rejects.toThrow(/is configured already/);
  });

  test("judges a stack, whichever mode made its resources", async () => {
    const two = stackRequest(
      ["aws:s3/bucket:Bucket", "bucket", {}],
      [`${dynamic}IpWhitelist`, "a", { exclusive: true, __provider: "x" }],
      [`${plugin}IpWhitelist`, "b", { exclusive: true }],
    );
    expect(await found("analyzeStack", two)).toEqual(
      ["a", "b"].map((name) =>
        expect.stringMatching(`^one-exclusive-whitelist: IpWhitelist ${name}: exclusive is true`),
      ),
    );
  });

  test("repairs nothing", async () => {
    const wide = request(`${plugin}WhitelistedIp`, "it", { ipCidr: "::/0" });
    expect(await call("remediate", wide)).toMatchObject({ remediationsList: [] });
  });

  test("fails with the rule's error, and where it comes from", async () => {
    const asked = call("analyze", request(`${plugin}Folder`, "it", {}));
    await expect(asked).rejects.toThrow(/TypeError: out of order\n\s+at /);
  });
});

describe("its configuration", () => {
  const { ADVISORY, MANDATORY, DISABLED, REMEDIATE } = analyzer.EnforcementLevel;
  const everywhere = () => call("analyze", request(`${plugin}WhitelistedIp`, "it", { ipCidr: "0.0.0.0/0" }));

  test.each([
    ["an advisory rule", { level: ADVISORY }, [ADVISORY]],
    ["a mandatory one", { level: MANDATORY }, [MANDATORY]],
    ["one that would remediate", { level: REMEDIATE }, [MANDATORY]],
    ["a disabled one", { level: DISABLED }, []],
    ["one whose option allows it", { options: { minIpv4Prefix: 0 } }, []],
  ])("%s reports as it is configured", async (_, own, expected) => {
    await configure({ all: {}, "whole-internet": own });
    expect((await everywhere()).diagnosticsList.map(({ enforcementlevel }) => enforcementlevel)).toEqual(expected);
  });

  test("a rule that lacks the option it judges by warns, also if it is mandatory, and only about what it judges", async () => {
    const stack = stackRequest([`${plugin}ObjectPolicy`, "note", { policy: [] }]);
    const knowing = { options: { everybodyGroups: [203] } };
    await configure({ "all-to-everybody": { level: MANDATORY }, "manage-by-groups": knowing });
    const { diagnosticsList } = await call("analyzeStack", stack);
    const message = expect.stringMatching(
      /^the rule all-to-everybody cannot judge what is allowed, by id, to the group .*: its option everybodyGroups is not set\. /,
    );
    expect(diagnosticsList).toMatchObject([{ enforcementlevel: ADVISORY, message }]);
    expect(await found("analyzeStack", stackRequest([`${plugin}Folder`, "it", {}]))).toEqual([]);
  });

  test("a default, which the engine fills in, is as good as none; a disabled rule lacks nothing", async () => {
    const byDefault = { options: { everybodyGroups: ["everyone"] } };
    await configure({ "all-to-everybody": byDefault, "manage-by-groups": { level: DISABLED } });
    const stack = stackRequest([`${plugin}FolderGrant`, "note", { group: 203 }]);
    expect(await found("analyzeStack", stack)).toEqual([expect.stringMatching(/^all-to-everybody: .* is not set$/)]);
  });

  test.each([
    [{ "whole-intranet": {} }, /there is no rule whole-intranet; the rules are whole-internet, way-back-in, /],
    [{ "whole-internet": { options: { min: 1 } } }, /has no option min; its options are minIpv4Prefix, minIpv6Prefix/],
    [{ "deny-the-rest": { options: { on: true } } }, /rule deny-the-rest has no option on; its options are none/],
  ])("a misspelt name is an error: %j", async (config, message) => {
    await expect(configure(config)).rejects.toThrow(message);
  });

  test("is given once: nobody switches a rule off afterwards", async () => {
    await configure({ "whole-internet": {} });
    await configure({ "whole-internet": {} });
    await expect(configure({ "whole-internet": { level: DISABLED } })).rejects.toThrow(/is configured already/);
    expect((await everywhere()).diagnosticsList).toHaveLength(1);
  });
});
