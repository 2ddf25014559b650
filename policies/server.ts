import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { ConfigError, type Finding, Judge, type RuleConfig } from "./judge";
import { plainConfigOf } from "./plain-config";
import type { Level, Rule } from "./rule";
import { AnalyzerService, analyzer, Empty, grpc, PluginInfo, Struct } from "./stubs";
import { resourceIn, resourcesIn } from "./wire";

export interface Pack {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly Rule[];
  /** Called with the engine's address. */
  readonly onEngine?: (address: string) => void;
}

/** Serves the rules to the engine on a free local port, and resolves to the port. */
export async function serve(pack: Pack): Promise<number> {
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(AnalyzerService, serviceOf(pack));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
}

type HandshakeRequest = InstanceType<typeof analyzer.AnalyzerHandshakeRequest>;
type ConfigureRequest = InstanceType<typeof analyzer.ConfigureAnalyzerRequest>;
type ConfigureStackRequest = InstanceType<typeof analyzer.AnalyzerStackConfigureRequest>;

function serviceOf(pack: Pack): UntypedServiceImplementation {
  const judge = new Judge(pack.rules);
  return {
    handshake: answer((request: HandshakeRequest) => {
      pack.onEngine?.(request.getEngineAddress());
      return new analyzer.AnalyzerHandshakeResponse();
    }),
    getPluginInfo: answer(() => {
      const info = new PluginInfo();
      info.setVersion(pack.version);
      return info;
    }),
    getAnalyzerInfo: answer(() => infoOf(pack)),
    configureStack: answer((request: ConfigureStackRequest) => {
      // The stubs of an older @pulumi/pulumi do not tell which are secret.
      const secretKeys = request.getConfigSecretKeysList?.();
      if (secretKeys) judge.plainConfig = plainConfigOf(entriesOf(request.getConfigMap()), secretKeys);
      return new analyzer.AnalyzerStackConfigureResponse();
    }),
    configure: answer((request: ConfigureRequest) => {
      judge.configure(new Map(entriesOf(request.getPolicyconfigMap()).map(ruleConfig)));
      return new Empty();
    }),
    analyze: answer((bytes: Uint8Array) => {
      const resource = resourceIn(bytes, judge.isAboutResource);
      return response(pack, resource ? judge.judgeResource(resource) : []);
    }),
    analyzeStack: answer((bytes: Uint8Array) =>
      response(pack, judge.judgeStack(resourcesIn(bytes, judge.isAboutStack))),
    ),
    remediate: answer(() => new analyzer.RemediateResponse()),
    cancel: answer(() => new Empty()),
  };
}

function answer<Request, Response>(work: (request: Request) => Response): handleUnaryCall<Request, Response> {
  return ({ request }, callback) => {
    try {
      callback(null, work(request));
    } catch (error) {
      if (error instanceof ConfigError)
        return callback({ code: grpc.status.INVALID_ARGUMENT, details: error.message }, null);
      // With its stack: what fails here is a rule.
      const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
      callback({ code: grpc.status.INTERNAL, details }, null);
    }
  };
}

function response({ name, version }: Pack, findings: readonly Finding[]) {
  const message = new analyzer.AnalyzeResponse();
  for (const finding of findings) {
    const diagnostic = new analyzer.AnalyzeDiagnostic();
    diagnostic.setPolicyname(finding.rule.name);
    diagnostic.setPolicypackname(name);
    diagnostic.setPolicypackversion(version);
    diagnostic.setDescription(finding.rule.description);
    diagnostic.setMessage(finding.message);
    diagnostic.setEnforcementlevel(wireLevel(finding.level));
    diagnostic.setUrn(finding.urn);
    message.addDiagnostics(diagnostic);
  }
  return message;
}

function infoOf({ name, version, rules }: Pack) {
  const info = new analyzer.AnalyzerInfo();
  info.setName(name);
  info.setVersion(version);
  info.setSupportsconfig(true);
  for (const rule of rules) {
    const policy = new analyzer.PolicyInfo();
    policy.setName(rule.name);
    policy.setDescription(rule.description);
    policy.setEnforcementlevel(wireLevel(rule.level));
    const schema = new analyzer.PolicyConfigSchema();
    schema.setProperties(Struct.fromJavaScript(rule.options as unknown as Parameters<typeof Struct.fromJavaScript>[0]));
    policy.setConfigschema(schema);
    info.addPolicies(policy);
  }
  return info;
}

interface WireMap<Value> {
  forEach(visit: (value: Value, key: string) => void): void;
}

function entriesOf<Value>(map: WireMap<Value>): [key: string, value: Value][] {
  const entries: [string, Value][] = [];
  map.forEach((value, key) => {
    entries.push([key, value]);
  });
  return entries;
}

type WireLevel = ReturnType<InstanceType<typeof analyzer.PolicyConfig>["getEnforcementlevel"]>;
type Entry = readonly [rule: string, config: InstanceType<typeof analyzer.PolicyConfig>];

function wireLevel(level: Level): WireLevel {
  const { ADVISORY, MANDATORY, DISABLED } = analyzer.EnforcementLevel;
  return level === "mandatory" ? MANDATORY : level === "disabled" ? DISABLED : ADVISORY;
}

/** No rule can repair a resource, so `remediate` means mandatory, as it does for stack rules of other packs. */
function ruleConfig([name, config]: Entry): [string, RuleConfig] {
  const { ADVISORY, DISABLED } = analyzer.EnforcementLevel;
  const level = config.getEnforcementlevel();
  return [
    name,
    {
      level: level === ADVISORY ? "advisory" : level === DISABLED ? "disabled" : "mandatory",
      options: config.getProperties()?.toJavaScript() ?? {},
    },
  ];
}
