import * as dataplatform from "pulumi-dataplatform";

// By the id that getUsers returns, or by e-mail address.
const dan = new dataplatform.EnabledUser("dan", { svcUserId: "107" });
const pia = new dataplatform.EnabledUser("pia", { svcUserId: "pending1@analytics.example.com" });

export const danEmail = dan.email;
export const piaUserId = pia.userId;
