import * as dataplatform from "pulumi-dataplatform";

const schemaVersion = "7";

new dataplatform.Command("refresh-trades", {
  tableRefresh: { dbName: "default", hiveTable: "trades" },
  triggers: { schemaVersion },
});
