import * as dataplatform from "pulumi-dataplatform";

const refresh = dataplatform.submitCommandOutput({
  tableRefresh: { dbName: "default", hiveTable: "page_views" },
  name: "nightly refresh",
  tags: ["nightly"],
  wait: { timeoutSeconds: 600, intervalSeconds: 1 },
});

export const commandId = refresh.id;
export const status = refresh.status;
