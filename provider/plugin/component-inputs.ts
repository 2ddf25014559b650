import { withoutSecrets } from "../components/secret-paths";
import { signatureKey, signatures, unknownValue } from "../core/engine-values";
import type { Properties } from "../core/properties";
import { type PropertyPath, pathsOf } from "../core/secrets";
import { fromStruct, unknowns } from "./marshal";
import type { messages } from "./stubs";

type Pulumi = typeof import("@pulumi/pulumi");
type ConstructRequest = InstanceType<typeof messages.ConstructRequest>;

/** What holds for every value inside another one. */
interface Marks {
  readonly secret: boolean;
  /** URNs of the resources that it comes from. */
  readonly sources: readonly string[];
}

/**
 * The inputs of a component as a TypeScript program would pass them: objects and arrays are plain, so that a component
 * sees what there is to create, and the values in them are outputs where they are unknown, secret, or of a resource.
 */
export function inputsOf(pulumi: Pulumi, request: ConstructRequest): Properties {
  const inputs = request.getInputs()?.toJavaScript() ?? {};
  return inputValue(pulumi, inputs, { secret: false, sources: [] }) as Properties;
}

/** The same for a check: without what the program or the definition says is secret, so that no message can show it. */
export function visibleInputsOf(request: ConstructRequest, secrets: readonly string[]): Properties {
  const marked: PropertyPath[] = [];
  const values = fromStruct(request.getInputs(), marked);
  return withoutSecrets([...pathsOf(secrets), ...marked], values) as Properties;
}

/** One value of a request, as a program would have it. */
export function inputValue(pulumi: Pulumi, value: unknown, marks: Marks): unknown {
  if (typeof value !== "object" || value === null) return leaf(pulumi, value, marks);
  if (Array.isArray(value)) return value.map((item) => inputValue(pulumi, item, marks));
  const object = value as Properties;
  if (signatureKey in object) return special(pulumi, object, marks);
  const entries = Object.entries(object).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, inputValue(pulumi, inner, marks)]));
}

function special(pulumi: Pulumi, object: Properties, marks: Marks): unknown {
  switch (object[signatureKey]) {
    case signatures.secret:
      return inputValue(pulumi, object["value"], { ...marks, secret: true });
    case signatures.output: {
      const sources = [...marks.sources, ...((object["dependencies"] as string[] | undefined) ?? [])];
      const secret = marks.secret || object["secret"] === true;
      return inputValue(pulumi, "value" in object ? object["value"] : unknownValue, { secret, sources });
    }
    default:
      return inputValue(pulumi, object["id"] ?? object["urn"], marks);
  }
}

function leaf(pulumi: Pulumi, given: unknown, { secret, sources }: Marks): unknown {
  const value = unknowns.has(given) ? pulumi.unknown : given;
  if (value === given && !secret && sources.length === 0) return value ?? undefined;
  const urns = sources.map((urn) => new pulumi.DependencyResource(urn).urn);
  const output = pulumi.all([pulumi.output(value), ...urns]).apply(([first]) => first);
  return secret ? pulumi.secret(output) : output;
}
