import * as dataplatform from "pulumi-dataplatform";

const owner = 106;
const analysts = 204;

const notebook = new dataplatform.ObjectPolicy("churn-analysis", {
  sourceType: "note",
  sourceId: "501",
  policy: [
    { access: "allow", action: ["read", "update", "delete", "manage"], condition: { svcUsers: [owner] } },
    { access: "allow", action: ["read"], condition: { svcGroups: [analysts] } },
    // Everything that is not allowed above is denied. `all` does not cover `manage`.
    { access: "deny", action: ["all", "manage"], condition: { svcUsers: [owner], svcGroups: [analysts] } },
  ],
});

// What does it mean for a member of the analysts?
export const mayAnalystsEdit = notebook.policy.apply(
  (policy) => dataplatform.explain(policy, { userId: 104, groupIds: [analysts] }, "update").reason,
);
export const policyBefore = notebook.originalPolicy;
