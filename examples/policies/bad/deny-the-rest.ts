import * as dataplatform from "pulumi-dataplatform";

const analysts = 204;

new dataplatform.ObjectPolicy(
  "only-allows",
  {
    sourceType: "note",
    sourceId: 501,
    policy: [{ access: "allow", action: ["read"], condition: { svcGroups: [analysts] } }],
  },
  { protect: true },
);
