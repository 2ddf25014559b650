import * as dataplatform from "pulumi-dataplatform";

const ana = 106;

new dataplatform.ObjectPolicy(
  "managed-by-ana",
  {
    sourceType: "scheduler",
    sourceId: 521,
    policy: [
      { access: "allow", action: ["read", "manage"], condition: { svcUsers: [ana] } },
      { access: "deny", action: ["all"], condition: { svcUsers: [ana] } },
    ],
  },
  { protect: true },
);

new dataplatform.ObjectGrant("granted-to-ana", {
  sourceType: "cluster",
  sourceId: 512,
  user: ana,
  allow: ["read", "manage"],
});
