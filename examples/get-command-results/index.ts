import * as pulumi from "@pulumi/pulumi";
import * as dataplatform from "pulumi-dataplatform";

const query = dataplatform.submitCommandOutput({
  spark: { sql: "SELECT dt, count(*) FROM page_views GROUP BY dt" },
  wait: { timeoutSeconds: 600, intervalSeconds: 1 },
});

const found = dataplatform.getCommandResultsOutput({ id: query.id });

// A secret, because results may hold anything. These may be shown.
export const viewsByDay = pulumi.unsecret(found.apply(({ rows = [] }) => Object.fromEntries(rows)));
