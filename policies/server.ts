import { type Methods, Refusal, serveGrpc, status } from "../provider/engine/grpc-server";
import { ConfigError, type Finding, Judge, type RuleConfig } from "./judge";
import { plainConfigOf } from "./plain-config";
import type { Level, Rule } from "./rule";
import { analyzer, PluginInfo, Struct } from "./stubs";
import { resourceIn, resourcesIn } from "./wire";

interface Pack {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly Rule[];
  /** Called with the engine's address. */
  readonly onEngine?: (address: string) => void;
}

/** Serves the rules to the engine on a free local port, and resolves to the port. */
export function serve(pack: Pack): Promise<number> {
  return serveGrpc("pulumirpc.Analyzer", methodsOf(pack));
}

/** An empty message, whatever its type: its bytes are none. */
const empty = new Uint8Array();

/**
 * Requests about resources stay bytes until a rule needs them: most stacks have resources that no rule is about, and
 * each is sent twice, the first time for remediations, which there are none of.
 */
function methodsOf(pack: Pack): Methods {
  const judge = new Judge(pack.rules);
  const nothing = (): Uint8Array => empty;
  return {
    Handshake(bytes) {
      // Older stubs do not have the message.
      const request = analyzer.AnalyzerHandshakeRequest?.deserializeBinary(bytes);
      if (request) pack.onEngine?.(request.getEngineAddress());
      return empty;
    },
    GetPluginInfo() {
      const info = new PluginInfo();
      info.setVersion(pack.version);
      return info.serializeBinary();
    },
    GetAnalyzerInfo: () => infoOf(pack).serializeBinary(),
    ConfigureStack: once((bytes) => {
      const request = analyzer.AnalyzerStackConfigureRequest?.deserializeBinary(bytes);
      // Older stubs do not tell which are secret.
      const secretKeys = request?.getConfigSecretKeysList?.();
      if (request && secretKeys) judge.plainConfig = plainConfigOf(entriesOf(request.getConfigMap()), secretKeys);
      return empty;
    }),
    Configure: once((bytes) => {
      const request = analyzer.ConfigureAnalyzerRequest.deserializeBinary(bytes);
      configure(judge, new Map(entriesOf(request.getPolicyconfigMap()).map(ruleConfig)));
      return empty;
    }),
    Analyze(bytes) {
      const resource = resourceIn(bytes, judge.isAboutResource);
      return resource ? response(pack, judge.judgeResource(resource)) : empty;
    },
    AnalyzeStack(bytes) {
      const resources = resourcesIn(bytes, judge.isAboutStack);
      return response(pack, [...judge.judgeStack(resources), ...judge.findBlind(resources)]);
    },
    Remediate: nothing,
    Cancel: nothing,
  };
}

/** The engine does it once: whoever does it again with other values wants to switch a rule off. */
function once(method: (bytes: Uint8Array) => Uint8Array): Methods[string] {
  let first: Buffer | undefined;
  return (bytes) => {
    if (first && !first.equals(bytes))
      throw new Refusal(status.failedPrecondition, "the policy pack is configured already");
    first = Buffer.from(bytes);
    return method(bytes);
  };
}

function configure(judge: Judge, config: ReadonlyMap<string, RuleConfig>): void {
  try {
    judge.configure(config);
  } catch (error) {
    throw error instanceof ConfigError ? new Refusal(status.invalidArgument, error.message) : error;
  }
}

function response({ name, version }: Pack, findings: readonly Finding[]): Uint8Array {
  if (findings.length === 0) return empty;
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
  return message.serializeBinary();
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
