/** What a URN says: `urn:pulumi:<stack>::<project>::<types>::<name>`. */
interface UrnParts {
  readonly stack: string;
  readonly project: string;
  /** Types of the components around the resource, outermost first. */
  readonly parentTypes: readonly string[];
  readonly type: string;
  readonly name: string;
}

/** A name may itself contain `::`, and the types of parents come before the resource's own: `parent$type`. */
export function urnParts(urn: string): UrnParts {
  const [stack = "", project = "", types = "", ...name] = urn.replace(/^urn:pulumi:/, "").split("::");
  const parentTypes = types.split("$");
  const type = parentTypes.pop() ?? "";
  return { stack, project, parentTypes, type, name: name.join("::") };
}

/** The URN in `<urn>::<id>`, with which a state names a resource's provider. */
export function urnOfReference(reference: string): string {
  return reference.slice(0, reference.lastIndexOf("::"));
}

/** The engine creates default providers itself: `default`, with or without a version, and never with a parent. */
export function isDefaultProvider(urn: string): boolean {
  const { name, parentTypes } = urnParts(urn);
  return parentTypes.length === 0 && /^default(_\d|$)/.test(name);
}

const own = /^(?:pulumi-nodejs:dynamic\/dataplatform|dataplatform:index):(\w+)$/;

/** The type of one of our resources, whichever mode created it: `WhitelistedIp`. Undefined for all others. */
export function ownType(token: string): string | undefined {
  return own.exec(token)?.[1];
}

/** The type of an instance of our provider. */
export const providerToken = "pulumi:providers:dataplatform";

/** For something that is there already, perhaps because this stack has put it there. */
export const afterRename =
  "If this resource was renamed or moved, give it an alias with its old name (docs/moving.md).";

/** How to take over what exists already. The type is the plugin's in both modes, because Pulumi imports through it only. */
export function importAdvice(type: string, id: string | number): string {
  return `import it through the plugin, which works in both modes (docs/modes.md#import): pulumi import --generate-code=false dataplatform:index:${type} <name> ${id} (for one in a component, add --parent NAME=URN)`;
}
