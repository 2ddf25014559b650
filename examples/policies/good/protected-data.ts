import * as dataplatform from "pulumi-dataplatform";

new dataplatform.DataStore(
  "sales",
  { dbType: "mysql", dbHost: "sales.example.com", dbName: "sales" },
  { protect: true },
);
