import * as dataplatform from "pulumi-dataplatform";

// Other members of the group are left alone.
const onCall = new dataplatform.GroupMembership("on-call", {
  group: "operators",
  users: ["analyst@analytics.example.com", "owner@analytics.example.com"],
});

export const onCallGroup = onCall.group;
