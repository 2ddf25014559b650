import { type Answer, ok } from "../../answers";
import { type Call, needs, type Operation, operation } from "../../operation";
import { add, list, remove } from "../whitelist";

const messages = { "as shown": "IP whitelisted successfully.", "as in v1.2": "IP added", empty: "" };
const path = "/api/v2/accounts/whitelist_ip";

function removeV2(call: Call): Answer {
  const answer = remove(call);
  return {
    "status object": answer,
    "{}": ok({}),
    "204": { status: 204 },
    "status success": ok({ status: "success" }),
  }[call.world.switches.whitelistDelete2];
}

/** The v2 operations work on the same list as those of v1.2. */
const v2 = (run: (call: Call) => Answer) => (call: Call) => run({ ...call, version: "v2" });

export const whitelistOperations: readonly Operation[] = [
  operation(
    "whitelistV2.add",
    `POST ${path}`,
    needs.editAccount,
    v2((call) => add(call, messages[call.world.switches.whitelistMessage2])),
  ),
  operation("whitelistV2.list", `GET ${path}`, needs.editAccount, v2(list)),
  operation("whitelistV2.delete", `DELETE ${path}/:id`, needs.editAccount, v2(removeV2)),
];
