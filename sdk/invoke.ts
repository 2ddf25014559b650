import * as pulumi from "@pulumi/pulumi";
import type { ProgramContext } from "../provider/local";
import type { OutputFunctionOptions } from "./invoke-options";
import { runsInPlugin } from "./mode";
import { isKnown, readiness } from "./readiness";

/** What the generated code knows about a function. */
interface FunctionSpec {
  readonly name: string;
  /** The outputs of a function that does not run at preview. */
  readonly unknownAtPreview?: readonly string[];
}

interface Answer<Result> {
  readonly value: Result;
  readonly secret: boolean;
}

/** The promise form: arguments and result are plain values. */
export async function callFunction<Result>(
  spec: FunctionSpec,
  args: object,
  opts: pulumi.InvokeOptions = {},
): Promise<Result> {
  if (!runsInPlugin(providerFor(spec, opts))) return (await runInProgram<Result>(spec, args)).value;
  const result = await pulumi.runtime.invoke(tokenOf(spec), plainArgs(args), opts);
  if (isUnknownNow(spec)) return unknownResult(spec) as Result;
  // Before 3.133, Pulumi did not unwrap secrets.
  return withoutSecretMarks(result) as Result;
}

/** The Output form: waits for its arguments, and keeps their dependencies and secrecy. */
export function callFunctionOutput<Result>(
  spec: FunctionSpec,
  args: object,
  opts: OutputFunctionOptions = {},
): pulumi.Output<Result> {
  const plugin = runsInPlugin(providerFor(spec, opts));
  const ready = readiness(opts.dependsOn, plainArgs(args));
  const result = plugin
    ? runInPlugin<Result>(spec, args, opts, ready)
    : runInProgram<Result>(spec, args, ready).then(({ value, secret }) => (secret ? pulumi.secret(value) : value));
  return pulumi.all([result, pulumi.output(args), ready]).apply(([value]) => value as Result);
}

function tokenOf({ name }: FunctionSpec): string {
  return `dataplatform:index:${name}`;
}

function providerFor(
  spec: FunctionSpec,
  { provider, parent }: pulumi.InvokeOptions,
): pulumi.ProviderResource | undefined {
  return provider ?? parent?.getProvider(tokenOf(spec));
}

function plainArgs(args: object): Record<string, unknown> {
  return withoutDates(args) as Record<string, unknown>;
}

function isUnknownNow(spec: FunctionSpec): boolean {
  return spec.unknownAtPreview !== undefined && pulumi.runtime.isDryRun();
}

function unknownResult({ unknownAtPreview = [] }: FunctionSpec): Record<string, unknown> {
  return Object.fromEntries(unknownAtPreview.map((output) => [output, pulumi.unknown]));
}

/**
 * Waits for what the function depends on: Pulumi itself supports `dependsOn` only since 3.141, and only since 3.145 does
 * it skip the function at preview for a resource that is yet to be created.
 */
async function runInPlugin<Result>(
  spec: FunctionSpec,
  args: object,
  opts: OutputFunctionOptions,
  ready: pulumi.Output<unknown>,
): Promise<pulumi.Input<Result>> {
  // The engine must not end the run while a function is pending.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    if (!(await isKnown(ready))) return pulumi.unknown as Result;
    const result = invokeOutput<Result>(tokenOf(spec), await withSecretsNamed(spec, plainArgs(args)), opts);
    await isKnown(result);
    return isUnknownNow(spec) ? result.apply(() => unknownResult(spec) as Result) : result;
  } finally {
    done();
  }
}

/** Pulumi sends the arguments of a function without their marks, so their names go beside them, as for resources. */
async function withSecretsNamed(
  { name }: FunctionSpec,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const marked = secretArguments(await pulumi.runtime.serializeProperties(name, args));
  return marked.length > 0 ? { ...args, __secrets: marked } : args;
}

function secretArguments(serialized: Record<string, unknown>): string[] {
  return Object.keys(serialized).filter((argument) => hasSecrets(serialized[argument]));
}

/** `pulumi.runtime.invokeOutput`, which came with 3.133. */
function invokeOutput<Result>(...call: Parameters<typeof pulumi.runtime.invokeOutput>): pulumi.Output<Result> {
  if (pulumi.runtime.invokeOutput) return pulumi.runtime.invokeOutput<Result>(...call);
  const marked: Promise<Record<string, unknown>> = pulumi.runtime.invoke(...call);
  return pulumi.output(
    marked.then((result) => {
      const plain = withoutSecretMarks(result) as Result;
      return Object.values(result ?? {}).some(pulumi.runtime.isRpcSecret) ? pulumi.secret(plain) : plain;
    }),
  ) as pulumi.Output<Result>;
}

/** Without a plugin there is no engine to call: the function runs in the program's own process. */
async function runInProgram<Result>(
  { name }: FunctionSpec,
  args: object,
  ready?: pulumi.Output<unknown>,
): Promise<Answer<Result>> {
  // The engine must not end the run while a function is in flight.
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const serialized = await pulumi.runtime.serializeProperties(name, plainArgs(args));
    const inputs = withoutSecretMarks(serialized) as Record<string, unknown>;
    // With unknown inputs nothing is sent, but the known ones are checked.
    if (ready && !(await isKnown(ready)) && !hasUnknowns(inputs))
      return { value: pulumi.unknown as Result, secret: false };
    const marked = secretArguments(serialized);
    const { outputs, secret } = await local().call(name, inputs, programContext(marked));
    return { value: withUnknowns(outputs) as Result, secret };
  } catch (error) {
    throw toRunError(error);
  } finally {
    done();
  }
}

/** Loaded with the first call: programs without functions need neither zod nor undici. */
function local(): typeof import("../provider/local") {
  return require("../provider/local") as typeof import("../provider/local");
}

function programContext(marked: readonly string[]): ProgramContext {
  const config = new pulumi.Config("dataplatform");
  return {
    config: (name) => config.get(name),
    preview: pulumi.runtime.isDryRun(),
    marked,
    log: {
      info: (message) => void pulumi.log.info(message),
      warn: (message) => void pulumi.log.warn(message),
    },
  };
}

/** Shows only the message: Pulumi prints the stack of an uncaught error, and ours does not help users. */
function toRunError(error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return Object.assign(new pulumi.RunError(message), { code: (error as { code?: unknown }).code, stack: message });
}

/** Dates as the API writes them; also those inside outputs. */
function withoutDates(value: unknown): unknown {
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? "Invalid Date" : `${value.toISOString().slice(0, 19)}Z`;
  if (pulumi.Output.isInstance(value)) return value.apply(withoutDates);
  if (value instanceof Promise) return value.then(withoutDates);
  return pulumi.Resource.isInstance(value) ? value : mapInside(value, withoutDates);
}

function withoutSecretMarks(value: unknown): unknown {
  if (pulumi.runtime.isRpcSecret(value)) return withoutSecretMarks(pulumi.runtime.unwrapRpcSecret(value));
  return mapInside(value, withoutSecretMarks);
}

function hasSecrets(value: unknown): boolean {
  if (pulumi.runtime.isRpcSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasSecrets);
}

function hasUnknowns(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === pulumi.runtime.unknownValue;
  return Object.values(value).some(hasUnknowns);
}

/** Turns unknown values of the core into those of Pulumi's runtime, so that what depends on them is unknown too. */
function withUnknowns(value: unknown): unknown {
  return value === pulumi.runtime.unknownValue ? pulumi.unknown : mapInside(value, withUnknowns);
}

/** The value with everything directly inside it changed. */
function mapInside(value: unknown, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}
