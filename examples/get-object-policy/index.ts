import * as dataplatform from "pulumi-dataplatform";

const { policy } = dataplatform.getObjectPolicyOutput({ sourceType: "note", sourceId: "501" });

export const elements = policy;
export const userMayRead = policy.apply(
  (found) => dataplatform.explain(found, { userId: 102, groupIds: [202, 203] }, "read").allowed ?? false,
);
