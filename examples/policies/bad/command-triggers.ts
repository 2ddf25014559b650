import * as dataplatform from "pulumi-dataplatform";

new dataplatform.Command("refresh-trades", { tableRefresh: { dbName: "default", hiveTable: "trades" } });
