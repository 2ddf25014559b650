import * as dataplatform from "pulumi-dataplatform";

const partition = dataplatform.checkPartitionOutput({
  schema: "default",
  table: "daily_ticks",
  columns: [{ column: "dt", values: ["2024-01-01", "2024-01-02"] }],
});

export const ready = partition.ready;
