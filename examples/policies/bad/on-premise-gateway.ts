import * as dataplatform from "pulumi-dataplatform";

new dataplatform.DataStore(
  "warehouse",
  { dbLocation: "on-premise", dbHost: "warehouse.example.com", dbName: "warehouse" },
  { protect: true },
);
