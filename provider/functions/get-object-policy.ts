import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { viewPolicy } from "../platform/object-policies";
import { textId } from "../values/id";
import { foundPolicy } from "../values/policy";

export const getObjectPolicy = defineFunction({
  name: "getObjectPolicy",
  doc: `The policy of a notebook, a cluster, a scheduler or an environment: who may do what with it.

\`explain\` answers what a policy means for a user.`,
  inputs: z.object({
    sourceType: z
      .enum(["cluster", "environment", "note", "scheduler"])
      .describe("What the object is; `note` is a notebook."),
    sourceId: textId.describe("Id of the object."),
  }),
  outputs: z.object({
    policy: foundPolicy.describe("The elements in the platform's order; none when the object has no policy."),
  }),
  secrets: [],
  effect: "reads",
  run: async ({ api }, source) => ({ policy: await viewPolicy(api, source) }),
});
