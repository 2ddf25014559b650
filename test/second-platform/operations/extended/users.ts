import { type Answer, invalid, missing, Refusal, refuseIf, unshown } from "../../answers";
import type { Group, User } from "../../model";
import type { Call } from "../../operation";
import { entry, ofAccount, userMeant } from "../users";
import { type ExtendedOperation, needs } from "./needs";

function disable(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  const given = call.parameters.only("svc_user_id").needs("svc_user_id").text("svc_user_id") ?? "";
  const user = userMeant(call, given);
  if (user.id === call.user.id && switches.disableSelf !== "well")
    throw new Refusal(switches.disableSelf, "nobody disables himself");
  if (user.state === "disabled") refuseIf(switches.disableDisabled, "the user is disabled already");
  if (user.state === "pending") refuseIf(switches.disablePending, "the user awaits approval");
  if (user.state !== "disabled") {
    user.previous = { state: user.state, delay: world.delay(switches.disableDelay) };
    user.state = "disabled";
  }
  return unshown(switches.disableAnswer, entry(world, user, "disabled"));
}

function groupsOf(call: Call): Group[] {
  const { world, user, parameters } = call;
  const names = (parameters.text("groups") ?? "system-user").split(",").map((name) => name.trim());
  const own = world.data.groups.filter((group) => group.accountId === user.accountId);
  const named = names.filter((name) => name !== "").map((name) => own.find((group) => group.name === name));
  const unknown = names.find((name) => name !== "" && !own.some((group) => group.name === name));
  if (unknown !== undefined && world.switches.inviteGroups === "refused") throw missing(`group ${unknown} not found`);
  const everyone = own.find((group) => group.name === "everyone");
  return [...named, everyone].filter((group) => group !== undefined);
}

function checkAccount(call: Call): void {
  const way = call.world.switches.inviteAccount;
  if (way === "not needed" && !call.parameters.has("account")) return;
  const raw = call.parameters.needs("account").raw("account");
  if (typeof raw !== "string" && (typeof raw !== "number" || way === "text only"))
    throw invalid("account must be an account's ID");
  if (String(raw) !== String(call.user.accountId)) throw missing(`account ${raw} not found`);
}

function invite(call: Call): Answer {
  const { world, parameters } = call;
  const { switches } = world;
  parameters.only("invitee_email", "account", "groups", "user_type").needs("invitee_email");
  checkAccount(call);
  const sent = parameters.text("invitee_email") ?? "";
  if (!/^[^@\s]+@[^@\s]+$/.test(sent)) throw invalid("invitee_email is not an e-mail address");
  const userType = parameters.oneOf("user_type", ["regular", "service"]) ?? "regular";
  const groups = groupsOf(call);
  const email = switches.inviteEmail === "lower case" ? sent.toLowerCase() : sent;
  const present = ofAccount(call).find((user) => user.email.toLowerCase() === email.toLowerCase());
  if (present) {
    refuseIf(switches.inviteRepeat, `${email} is a user of the account`);
    return unshown(switches.inviteAnswer, entry(world, present, present.state));
  }
  const id = world.nextId("user");
  const pending = userType === "regular" && switches.inviteState !== "enabled";
  const user: User = {
    id,
    userId: 100_000 + id,
    accountId: call.user.accountId,
    email,
    name: "",
    state: pending ? "pending" : "enabled",
    groups: groups.map((group) => group.id),
    token: `second-token-invited-${id}`,
    userType,
    createdAt: world.now(),
  };
  if (!(pending && switches.inviteState === "not there until accepted")) world.data.users.push(user);
  return unshown(switches.inviteAnswer, entry(world, user, user.state));
}

export const userOperations: readonly ExtendedOperation[] = [
  {
    name: "users.disable",
    method: "POST",
    paths: ["/api/v1.2/accounts/disable_svc_user"],
    need: needs.disableUsers,
    run: disable,
  },
  {
    name: "users.invite",
    method: "POST",
    paths: ["/api/v1.2/users/invite_new"],
    need: needs.inviteUsers,
    run: invite,
  },
];
