import * as dataplatform from "pulumi-dataplatform";

const { columns } = dataplatform.getTableDefinitionOutput({ table: "page_views" });

export const types = columns.apply((all) => Object.fromEntries(all.map(({ name, type }) => [name, type])));
