import * as dataplatform from "pulumi-dataplatform";

const { names } = dataplatform.getHiveTablesOutput({ filter: "^page_" });
const { tables } = dataplatform.getHiveTablesOutput({ describe: true });

export const pageTables = names;
export const columns = tables.apply((all) =>
  Object.fromEntries(all.map((table) => [table.name, table.columns?.map(({ name, type }) => `${name} ${type}`)])),
);
