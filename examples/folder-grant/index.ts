import * as dataplatform from "pulumi-dataplatform";

// The rest of the folder's policy is left alone.
const analysts = new dataplatform.FolderGrant("analysts", {
  type: "notes",
  location: "Common/reports",
  group: 204,
  allow: ["read"],
  deny: ["write"],
});

export const grant = analysts.id;
