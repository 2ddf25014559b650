import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

// Set it first: pulumi config set --secret password <password>
const password = new pulumi.Config().requireSecret("password");

new dataplatform.DataStore(
  "stock",
  { dbHost: "stock.example.com", dbName: "stock", dbPasswd: password },
  { protect: true },
);

new dataplatform.Command("load-stock", {
  spark: {
    cmdline: pulumi.interpolate`/usr/lib/spark/bin/spark-submit s3://jobs/load.py --password ${password}`,
  },
  triggers: ["1"],
});
