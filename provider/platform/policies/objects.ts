import { z } from "zod";
import { anyAnswer } from "../../api/answer";
import type { Client } from "../../api/client";
import { absenceIn } from "../../api/meaning";
import { operations } from "../../api/operations";
import type { Id } from "../../values/id";
import { allOfObjects, answeredPolicy, encodePolicy } from "../../values/policy";
import { placeKind, viewed } from "./place";

/** The specified API cannot set the policy of an environment. */
const specifiedTypes = ["note", "cluster", "scheduler"] as const;
const sourceTypes = [...specifiedTypes, "environment"] as const;

export const sourceType = z.enum(sourceTypes).meta({ schemaName: "ObjectSourceType" });

export interface PolicySource {
  readonly sourceType: (typeof sourceTypes)[number];
  readonly sourceId: Id;
}

export const objects = placeKind<PolicySource>({
  noun: "an object",
  inputs: ["sourceType", "sourceId"],
  nameForm: /^\S+$/,
  example: "note/501",
  grantee: "user:104",
  types: (isExtended) => (isExtended ? sourceTypes : specifiedTypes),
  limits: { hidden: "If the token may not view the policy", gone: "the object itself is gone" },
  nameOf,
  placeOf: (_context, source) => ({
    of: nameOf(source),
    all: allOfObjects,
    async read(api) {
      try {
        return await viewPolicy(api, source);
      } catch (error) {
        // Some platforms answer "not found" for an object without a policy. Setting one tells whether there is an object.
        if ((await absenceIn(api, error)) === "gone") return "absent";
        throw error;
      }
    },
    write: (api, policy) =>
      api.call(operations.setObjectPolicy, {
        body: { ...bodyOf(source), policy: encodePolicy(policy) },
        answer: anyAnswer,
      }),
  }),
});

/** The inputs that need the extended API. */
export function onlyWithExtendedApi({ sourceType }: Partial<PolicySource>): "sourceType"[] {
  return sourceType && objects.isOnlyExtended({ sourceType }) ? ["sourceType"] : [];
}

function nameOf({ sourceType, sourceId }: PolicySource): string {
  return `${sourceType}/${sourceId}`;
}

/** Empty if the object has no policy. */
export function viewPolicy(api: Client, source: Shown) {
  return viewed(() => api.call(operations.viewObjectPolicy, { body: bodyOf(source), answer: answeredPolicy }));
}

/** More types can be viewed than set. */
type Shown = Pick<PolicySource, "sourceId"> & { readonly sourceType: string };

function bodyOf({ sourceType, sourceId }: Shown) {
  return { source_id: String(sourceId), source_type: sourceType };
}
