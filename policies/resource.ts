import type { Properties } from "./values";

/** One of our resources as a rule sees it, whichever mode created it. */
export interface Resource {
  /** Without the mode: `WhitelistedIp`. */
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  readonly project: string;
  readonly stack: string;
  /** Secrets in plain text, `unknownYet` in place of what is unknown. In `checkStack` the outputs, else the inputs. */
  readonly properties: Properties;
  /** Whether the resource option `protect` is set. */
  readonly isProtected: boolean;
  /** URN of the provider instance; undefined if there is none. */
  readonly provider: string | undefined;
  /** URNs of the resources that a property was computed from. Only in `checkStack`. */
  dependenciesOf(property: string): readonly string[];
  /** Whether the value at this path, such as `policy[0].action`, is marked as a secret, by itself or with what holds it. */
  isSecret(path: string): boolean;
}

/** Whether a path or something that holds it is in the set: `a[0].b` is in `a`. */
export function isWithin(paths: ReadonlySet<string>, path: string): boolean {
  if (paths.has(path)) return true;
  const at = Math.max(path.lastIndexOf("."), path.lastIndexOf("["));
  return at > 0 && isWithin(paths, path.slice(0, at));
}
