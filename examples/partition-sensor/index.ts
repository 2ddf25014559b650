import * as dataplatform from "pulumi-dataplatform";

const firstDays = new dataplatform.PartitionSensor("first-days", {
  schema: "default",
  table: "page_views",
  columns: [
    { column: "country", values: ["de"] },
    { column: "dt", values: ["2024-01-01", "2024-01-02"] },
  ],
  wait: { timeoutSeconds: 600, intervalSeconds: 10 },
});

// Created only once the partitions exist.
const packages = new dataplatform.PackageSet(
  "packages",
  { envId: 401, sourceType: "python_package", packages: ["pyarrow"] },
  { dependsOn: firstDays },
);

export const ready = firstDays.ready;
export const packagesId = packages.id;
