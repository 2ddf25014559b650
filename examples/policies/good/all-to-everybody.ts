import * as dataplatform from "pulumi-dataplatform";

const engineers = 206;

new dataplatform.ObjectPolicy(
  "readable-for-everybody",
  {
    sourceType: "cluster",
    sourceId: 511,
    policy: [
      { access: "allow", action: ["read"] },
      { access: "allow", action: ["all"], condition: { svcGroups: [engineers] } },
      { access: "deny", action: ["all"] },
    ],
  },
  { protect: true },
);
