import * as dataplatform from "pulumi-dataplatform";

const engineers = 206;

new dataplatform.ObjectPolicy(
  "managed-by-engineers",
  {
    sourceType: "scheduler",
    sourceId: 521,
    policy: [
      { access: "allow", action: ["read", "manage"], condition: { svcGroups: [engineers] } },
      { access: "deny", action: ["all"], condition: { svcGroups: [engineers] } },
    ],
  },
  { protect: true },
);

new dataplatform.ObjectGrant("granted-to-engineers", {
  sourceType: "cluster",
  sourceId: 512,
  group: engineers,
  allow: ["read", "manage"],
});
