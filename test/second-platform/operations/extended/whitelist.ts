import { type Answer, ok } from "../../answers";
import { type Call, needs, type Operation } from "../../operation";
import { add, list, remove } from "../whitelist";

const messages = { "as shown": "IP whitelisted successfully.", "as in v1.2": "IP added", empty: "" };
const path = "/api/v2/accounts/whitelist_ip";

function removeV2(call: Call): Answer {
  const answer = remove(call);
  switch (call.world.switches.whitelistDelete2) {
    case "{}":
      return ok({});
    case "204":
      return { status: 204 };
    case "status success":
      return ok({ status: "success" });
    default:
      return answer;
  }
}

/** The v2 operations work on the same list as those of v1.2. */
const v2 = (run: (call: Call) => Answer) => (call: Call) => run({ ...call, version: "v2" });

export const whitelistOperations: readonly Operation[] = [
  {
    name: "whitelistV2.add",
    method: "POST",
    paths: [path],
    need: needs.editAccount,
    run: v2((call) => add(call, messages[call.world.switches.whitelistMessage2])),
  },
  { name: "whitelistV2.list", method: "GET", paths: [path], need: needs.editAccount, run: v2(list) },
  { name: "whitelistV2.delete", method: "DELETE", paths: [`${path}/:id`], need: needs.editAccount, run: v2(removeV2) },
];
