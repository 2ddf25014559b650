import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { textId } from "../values/id";
import { foundPolicy, shownPolicy } from "../values/policy";

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
  async run({ api }, { sourceType, sourceId }) {
    const body = { source_id: String(sourceId), source_type: sourceType };
    return { policy: await api.call(operations.viewObjectPolicy, { body, answer: shownPolicy }) };
  },
});
