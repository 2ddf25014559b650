import * as dataplatform from "pulumi-dataplatform";

const { roles } = dataplatform.getRolesOutput();

export const roleIds = roles.apply((all) => Object.fromEntries(all.map(({ name, id }) => [name, id])));
