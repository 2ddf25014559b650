import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { viewPolicy } from "../platform/policies/objects";
import { textId } from "../values/id";
import { objectPolicyElements } from "../values/policy";

export const getObjectPolicy = defineFunction({
  name: "getObjectPolicy",
  doc: `Returns the access policy of a notebook, a cluster, a scheduler or an environment.

\`explain\` shows what a policy means for a user.`,
  inputs: z.object({
    sourceType: z
      .enum(["cluster", "environment", "note", "scheduler"])
      .meta({ schemaName: "ObjectSourceType" })
      .describe("Type of the object; `note` is a notebook."),
    sourceId: textId.describe("Id of the object."),
  }),
  outputs: z.object({
    policy: objectPolicyElements.describe(
      "Policy elements, in the platform's order; empty if the object has no policy.",
    ),
  }),
  effect: "reads",
  run: async ({ api }, source) => ({ policy: await viewPolicy(api, source) }),
});
