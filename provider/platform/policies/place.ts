import type { Client } from "../../api/client";
import { type ErrorCode, isPlatformError } from "../../api/errors";
import { saysItIsMissing } from "../../api/meaning";
import { type Context, wrongId } from "../../core/define";
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
interface Places<At extends object> {
  readonly noun: "an object" | "a folder";
  /** The type, and what identifies one of that type. A slash joins them to an id, in which the latter has a form. */
  readonly inputs: readonly [type: keyof At & string, name: keyof At & string];
  readonly nameForm: RegExp;
  readonly example: string;
  /** Whom the example of a grant is for: `user:104`. */
  readonly grantee: string;
  /** The types of objects, or of folders, whose policies can be set. */
  readonly types: (isExtended: boolean) => readonly string[];
  /** When a policy cannot be read, and when there is nothing to have one, in the documentation of a grant. */
  readonly limits: { readonly hidden: string; readonly gone: string };
  readonly nameOf: (at: At) => string;
  /** `wasShown`: its policy was viewed before, so that "not found" is about the place. */
  readonly placeOf: (context: Context, at: At, wasShown?: boolean) => PolicyPlace;
  /** Where it is now, if this run has moved it. Absent: it does not move. */
  readonly now?: (run: Context["run"], at: At) => At;
}

export type PlaceKind<At extends object> = ReturnType<typeof placeKind<At>>;

export function placeKind<At extends object>(places: Places<At>) {
  const { noun, inputs, nameForm, example, grantee, types, nameOf } = places;
  const [type, name] = inputs;
  const isComplete = (known: Partial<At>): known is At => inputs.every((input) => known[input] !== undefined);
  /** The inputs that an id tells, or undefined if it has another form. */
  const inputsIn = (id: string, isExtended = true): At | undefined => {
    const [, kind = "", rest = ""] = /^(\w+)\/(.+)$/s.exec(id) ?? [];
    const isOne = types(isExtended).includes(kind) && nameForm.test(rest);
    return isOne ? ({ [type]: kind, [name]: rest } as At) : undefined;
  };
  return {
    ...places,
    isComplete,
    inputsIn,
    /** For a delete of what was read when it was created: its state may name a place that this run has renamed. */
    placeNow: (context: Context, at: At) => places.placeOf(context, places.now?.(context.run, at) ?? at, true),
    idOf: (at: At) => `${at[type]}/${at[name]}`,
    /** A whole policy declares this key, and a grant adds to it. */
    policyKeys: (known: Partial<At>) => (isComplete(known) ? [policyKey(nameOf(known))] : []),
    /** Whether changing the policy of such an object or folder needs the extended API. */
    isOnlyExtended: (at: Partial<At>) => !types(false).includes(String(at[type])),

    /** What an import id tells. `place`: the part that names the place, if it is not all of it. */
    inputsFrom(id: string, what: "policy" | "grant", isExtended: boolean, place = id): At {
      const found = inputsIn(place, isExtended);
      if (found) return found;
      const format = inputs.join("/");
      const [formats, end] =
        what === "grant" ? [`${format}/user:ID or ${format}/group:ID`, `/${grantee}`] : [format, ""];
      const expected = `${formats}, such as ${example}${end}, with one of ${types(isExtended).join(", ")}`;
      throw wrongId(id, `${noun} ${what} id`, expected);
    },
  };
}

/**
 * A policy as it is viewed. Some platforms show by an empty response that there is none; but it may be a mishap, and what
 * is written on top of it would drop what others may do. So it is believed the second time.
 */
export async function viewed<Element>(view: () => Promise<Element[] | undefined>): Promise<Element[]> {
  return (await view()) ?? (await view()) ?? [];
}

export function policyKey(of: string): string {
  return `policy of ${of}`;
}

/** For a refusal that may have a reason which the platform does not know: adds what to do about it. */
export function explained(code: ErrorCode, advice: string): (error: unknown) => never {
  return (error) => {
    throw isPlatformError(error, code) ? error.with(`${error.message}. ${advice}`) : error;
  };
}

/** Writes a policy. A platform may not accept an empty one: then says what to do about it. */
export function writeOrExplain(api: Client, place: PolicyPlace, policy: Policy, ifEmpty: string): Promise<unknown> {
  const writing = place.write(api, policy);
  // An empty policy names nobody, so what is missing is the object or the folder.
  return policy.length > 0 ? writing : writing.catch(asNotFound).catch(explained("rejected", ifEmpty));
}

/** A platform may refuse with another status than 404 what is not there: its words say so. */
export function asNotFound(error: unknown): never {
  throw saysItIsMissing(error) ? error.with(error.message, { code: "not-found" }) : error;
}
