import * as dataplatform from "pulumi-dataplatform";

const { partitions } = dataplatform.getTablePartitionsOutput({ schema: "default", table: "daily_ticks" });

export const days = partitions.apply((all) => all.map(({ values }) => values["dt"]));
export const newest = partitions.apply((all) => all.at(-1)?.location);
