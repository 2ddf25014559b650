import * as dataplatform from "pulumi-dataplatform";

const engineers = 206;
const everyone = 203;

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

new dataplatform.ObjectGrant("everybody-may-read", {
  sourceType: "note",
  sourceId: 502,
  group: everyone,
  allow: ["read"],
});
