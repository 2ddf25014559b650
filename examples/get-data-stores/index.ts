import * as dataplatform from "pulumi-dataplatform";

const { dataStores } = dataplatform.getDataStoresOutput();

export const hosts = dataStores.apply((all) => all.map(({ id, dbHost, dbName }) => `${id}: ${dbName} on ${dbHost}`));
