import * as dataplatform from "pulumi-dataplatform";

const pending = dataplatform.getPendingUsersOutput();

export const waiting = pending.users.apply((users) => users.map(({ email }) => email));
