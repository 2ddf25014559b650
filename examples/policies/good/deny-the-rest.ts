import * as dataplatform from "pulumi-dataplatform";

const analysts = 204;

new dataplatform.ObjectPolicy(
  "denies-the-rest",
  {
    sourceType: "note",
    sourceId: 501,
    policy: [
      { access: "allow", action: ["read"], condition: { svcGroups: [analysts] } },
      { access: "deny", action: ["all"], condition: { svcGroups: [analysts] } },
    ],
  },
  { protect: true },
);
