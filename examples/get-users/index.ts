import * as dataplatform from "pulumi-dataplatform";

const { users } = dataplatform.getUsersOutput();

export const administrators = users.apply((all) => all.filter(({ isAdmin }) => isAdmin).map(({ email }) => email));
