import { type CheckFailure, checkInputs, namesIn, withoutFailed } from "../core/check";
import type { Properties } from "../core/properties";
import { type Child, childrenIn, inputs as schema, type TeamEnvironmentInputs } from "./inputs";
import { plainProblems } from "./plain";
import { problemsIn } from "./structure";

/** The shape, the rules across parts, and the rules of each resource: what a preview would find, without one. */
export function checkTeamEnvironment(inputs: Properties): CheckFailure[] {
  const shape = [...plainProblems(schema, inputs), ...checkInputs({ inputs: schema }, inputs)];
  // The other rules rely on the shape, so they see only parts that have it.
  const broken = namesIn(shape);
  const sound = withoutFailed(inputs, shape) as TeamEnvironmentInputs;
  const children = childrenIn(sound);
  const across = [...problemsIn(sound), ...moveProblems(sound, children)];
  return [
    ...shape,
    ...across.filter(({ property }) => !dependsOn(property, broken)),
    ...children.flatMap(problemsOfChild),
  ];
}

/** Whether a rule looks at other parts than its own, and one of these is broken. */
function dependsOn(property: string, broken: ReadonlySet<string>): boolean {
  if (property === "movedFrom") return broken.size > 0;
  const others = property === "inNewAccount" ? ["account"] : ["account", "inNewAccount", "groups"];
  return (property === "inNewAccount" || property.endsWith(".teamMay")) && others.some((part) => broken.has(part));
}

function moveProblems({ account, movedFrom = {} }: TeamEnvironmentInputs, children: readonly Child[]): CheckFailure[] {
  const known = [...children.map(({ path }) => path), ...(account === undefined ? [] : ["accountProvider"])];
  return Object.keys(movedFrom)
    .filter((path) => !known.includes(path))
    .map((path) => ({
      property: "movedFrom",
      reason: `names ${JSON.stringify(path)}, which is not a resource of this environment; these are ${known.join(", ")}`,
    }));
}

function problemsOfChild({ path, definition, inputs, madeOf }: Child): CheckFailure[] {
  if (madeOf !== undefined) return [];
  return checkInputs(definition, inputs).map(({ property, reason }) => ({ property: `${path}.${property}`, reason }));
}
