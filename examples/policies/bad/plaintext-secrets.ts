import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const config = new pulumi.Config();

new dataplatform.DataStore(
  "stock",
  {
    dbHost: "stock.example.com",
    dbName: "stock",
    // The state encrypts it, but Pulumi.dev.yaml does not.
    dbPasswd: config.require("plainPassword"),
  },
  { protect: true },
);

new dataplatform.Command("load-stock", {
  spark: { cmdline: "/usr/lib/spark/bin/spark-submit s3://jobs/load.py --password s3cret-and-readable" },
  triggers: ["1"],
});
