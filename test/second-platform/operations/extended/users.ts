import { type Answer, unshown } from "../../answers";
import { type Call, type Operation, operation } from "../../operation";
import { entry, userMeant } from "../users";
import { needs } from "./needs";

function disable(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const given = call.parameters.only("svc_user_id").needs("svc_user_id").text("svc_user_id") ?? "";
  const user = userMeant(call, given);
  if (user.state !== "disabled") {
    user.previous = { state: user.state, delay: world.delay(switches.disableDelay) };
    user.state = "disabled";
  }
  return unshown(switches.disableAnswer, entry(world, user, "disabled"));
}

export const userOperations: readonly Operation[] = [
  operation("users.disable", "POST /api/v1.2/accounts/disable_svc_user", needs.disableUsers, disable),
];
