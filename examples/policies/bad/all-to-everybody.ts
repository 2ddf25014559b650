import * as dataplatform from "pulumi-dataplatform";

const engineers = 206;

new dataplatform.ObjectPolicy(
  "open-to-everybody",
  {
    sourceType: "cluster",
    sourceId: 511,
    policy: [
      { access: "allow", action: ["all"] },
      { access: "deny", action: ["all"], condition: { svcGroups: [engineers] } },
    ],
  },
  { protect: true },
);
