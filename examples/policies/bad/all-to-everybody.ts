import * as dataplatform from "pulumi-dataplatform";

const engineers = 206;
const everyone = 203;

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

new dataplatform.ObjectGrant("granted-to-everybody", {
  sourceType: "note",
  sourceId: 502,
  group: everyone,
  allow: ["all"],
});
