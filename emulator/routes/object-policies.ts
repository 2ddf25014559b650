import { z } from "zod";
import { admins, anyone } from "../auth";
import { notFound } from "../errors";
import { parsePolicy, policySchema } from "../policy";
import { viewPolicy } from "../policy-view";
import type { RecordOf } from "../records";
import { type Context, defineRoute } from "../router";
import { done, statusAnswer } from "./shared";

const path = "/api/v1.2/object_policy/policy";
const sourceId = z.string().min(1).describe("ID of the object");

interface Source {
  source_id: string;
  source_type: string;
}

function find({ store, account }: Context, { source_id, source_type }: Source): RecordOf<"objects"> | undefined {
  return store.get("objects", account.id, `${source_type}.${source_id}`);
}

function objectOf(context: Context, source: Source): RecordOf<"objects"> {
  const object = find(context, source);
  if (!object) throw notFound(`there is no ${source.source_type} ${source.source_id}`);
  return object;
}

const setParams = z.strictObject({
  source_id: sourceId,
  source_type: z.enum(["note", "cluster", "scheduler"]),
  policy: z.string().describe("JSON-encoded array of policy elements"),
});

const set = defineRoute({
  operation: "objectPolicy.set",
  summary: "Set the policy of a notebook, cluster or scheduler",
  method: "PUT",
  paths: [path],
  access: admins("setting an object policy", "the owner of the object"),
  params: setParams,
  answer: statusAnswer,
  answerNotShown: true,
  mayAlso: (context, params) => find(context, params)?.owner === context.user.id,
  handle(context, params) {
    const object = objectOf(context, params);
    context.store.put("objects", context.account.id, {
      ...object,
      policy: parsePolicy(params.policy, "object", context.readings.policyFields),
    });
    return done("object policy set");
  },
});

const view = defineRoute({
  operation: "objectPolicy.view",
  summary: "View the policy of an object (the parameters are in a JSON body)",
  method: "GET",
  paths: [path],
  access: anyone("viewing the object policy"),
  from: "body",
  params: z.strictObject({
    source_id: sourceId,
    source_type: z.enum(["cluster", "environment", "note", "scheduler"]),
  }),
  answer: z.object({
    source_id: z.string(),
    source_type: z.string(),
    policy: z.union([policySchema, z.string()]),
  }),
  handle(context, params) {
    const { policy } = objectOf(context, params);
    return viewPolicy({ fields: params, name: `${params.source_type} ${params.source_id}` }, policy, context);
  },
});

export { set as setObjectPolicy, setParams as objectPolicyParams };

export const objectPolicyRoutes = [set, view];
