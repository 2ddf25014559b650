import { anyone } from "../auth";
import { invalid } from "../errors";
import { defineRoute } from "../router";
import { userParams, userToChange } from "../routes/accounts";
import { done, statusAnswer } from "../routes/shared";

const disable = defineRoute({
  operation: "accounts.disableUser",
  summary: "Disable a user",
  method: "POST",
  paths: ["/api/v1.2/accounts/disable_svc_user"],
  access: anyone("disabling users"),
  params: userParams,
  answer: statusAnswer,
  answerNotShown: true,
  handle(context, { svc_user_id }) {
    const user = userToChange(context, svc_user_id);
    if (user.id === context.user.id)
      throw invalid("svc_user_id: you cannot disable yourself; use another user's token");
    if (user.status !== "disabled") context.store.put("users", context.account.id, { ...user, status: "disabled" });
    return done(`${user.email} is disabled`);
  },
});

export const extendedUserRoutes = [disable];
