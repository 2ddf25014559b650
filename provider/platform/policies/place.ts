import type { Client } from "../../api/client";
import { PlatformError } from "../../api/errors";
import type { Context } from "../../core/define";
import type { Policy } from "../../values/policy";

/** The one policy of an object or a folder, which the API writes as a whole. */
export interface PolicyPlace {
  /** In messages: `note/501`, `folder notes/Common/reports`. */
  readonly of: string;
  /** The actions that `all` stands for. */
  readonly all: readonly string[];
  /** Set if it may be under another name, so that what is absent here may be elsewhere. */
  readonly mayMove?: true;
  /** `absent`: there is no policy, or nothing to have one. `unknown`: this installation cannot show it. */
  read(api: Client): Promise<Policy | "absent" | "unknown">;
  write(api: Client, policy: Policy): Promise<unknown>;
}

/** What has a policy: objects, and folders. `At`: the inputs that say which one. */
export interface PlaceKind<At extends object> {
  readonly noun: "an object" | "a folder";
  /** Where a clash is reported. */
  readonly property: keyof At & string;
  /** The inputs in an id, and an example of one. */
  readonly format: string;
  readonly example: string;
  /** Whom the example of a grant is for: `user:104`. */
  readonly grantee: string;
  /** The types of objects, or of folders, whose policies can be set. */
  readonly types: (isExtended: boolean) => readonly string[];
  /** The inputs that an id tells, or undefined if it has another form. */
  readonly inputsIn: (id: string) => At | undefined;
  readonly typeOf: (at: At) => string;
  readonly idOf: (at: At) => string;
  readonly nameOf: (at: At) => string;
  readonly isComplete: (known: Partial<At>) => boolean;
  readonly placeOf: (context: Context, at: At) => PolicyPlace;
}

/** A whole policy declares this key, and a grant adds to it. */
export function policyKey(of: string): string {
  return `policy of ${of}`;
}

/** Whether changing the policy of such an object or folder needs the extended API. */
export function isOnlyExtended<At extends object>(kind: PlaceKind<At>, type: string): boolean {
  return !kind.types(false).includes(type);
}

export function inputsFrom<At extends object>(
  kind: PlaceKind<At>,
  id: string,
  { isExtended, what, place = id }: IdParts,
): At {
  const types = kind.types(isExtended);
  const found = kind.inputsIn(place);
  if (found && types.includes(kind.typeOf(found))) return found;
  const isGrant = what === "grant";
  const formats = isGrant ? [`${kind.format}/user:ID`, `${kind.format}/group:ID`] : [kind.format];
  const end = isGrant ? `/${kind.grantee}` : "";
  throw new PlatformError(
    `${JSON.stringify(id)} is not ${kind.noun} ${what} id; expected ${formats.join(" or ")}, such as ${kind.example}${end}, with one of ${types.join(", ")}`,
    { code: "rejected" },
  );
}

interface IdParts {
  readonly isExtended: boolean;
  readonly what: "policy" | "grant";
  /** The part of the id that names the place, if it is not all of it. */
  readonly place?: string;
}
