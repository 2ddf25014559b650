import * as dataplatform from "pulumi-dataplatform";

export const emails = dataplatform.getUserEmails().then((result) => result.emails);
