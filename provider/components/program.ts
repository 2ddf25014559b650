import { pathsOf, secretsOf } from "../core/secrets";
import { type IsOpaque, knownPartOf } from "./plain";
import { withoutSecrets } from "./secret-paths";
import { teamEnvironment } from "./team-environment";

/** For the class of a component in a program: the check that files and other languages get. */

export { withoutNullParts } from "./plain";
export { isInNewAccount } from "./structure";

/** What is wrong with the arguments, as far as they are there, one line each. */
export function problemsInProgram(name: string, args: object, isOpaque: IsOpaque): string[] {
  const secrets = pathsOf(secretsOf(teamEnvironment));
  const visible = withoutSecrets(secrets, knownPartOf(args, isOpaque)) as Record<string, unknown>;
  const own = visible["renamedFrom"] === name ? [`renamedFrom is ${name}, the environment's own name; remove it`] : [];
  return [...own, ...teamEnvironment.check(visible).map(({ property, reason }) => `${property} ${reason}`)];
}
