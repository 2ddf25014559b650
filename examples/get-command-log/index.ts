import * as dataplatform from "pulumi-dataplatform";

const refresh = dataplatform.submitCommandOutput({
  tableRefresh: { dbName: "default", hiveTable: "page_views" },
  wait: { timeoutSeconds: 600, intervalSeconds: 1 },
});

// A secret: pulumi stack output --show-secrets shows it.
export const { log } = dataplatform.getCommandLogOutput({ id: refresh.id, lastLines: 20 });
