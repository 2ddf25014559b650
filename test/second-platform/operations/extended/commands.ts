import { type Answer, missing, ok, Refusal, refuseIf } from "../../answers";
import type { Command } from "../../model";
import { type Call, type Operation, needs as specified } from "../../operation";
import { pick } from "../../rights";
import { progressOf } from "../command-object";
import { errorLogs, logs } from "./command-logs";
import { results } from "./command-results";
import { shownCommand } from "./command-view";
import { needs } from "./needs";

/** A command of the account. Each look at it moves it on, as the history does. */
export function commandOf(call: Call, look = true): Command {
  const given = call.path["id"] ?? "";
  const { world, user } = call;
  const command = pick(call, world.data.commands, (one) => String(one.id) === given, `command ${given}`);
  const others = world.switches.viewOthers;
  if (command.userId !== user.userId && others !== "shown")
    throw new Refusal(others, `command ${given} is another user's`);
  if (!world.passed(command.shown)) throw missing(`command ${given} not found`);
  if (look) command.seen += 1;
  return command;
}

function view(call: Call): Answer {
  const record = shownCommand(call.world, commandOf(call));
  switch (call.world.switches.viewEnvelope) {
    case "under command":
      return ok({ command: record });
    case "list of one":
      return ok([record]);
    default:
      return ok(record);
  }
}

function cancel(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  call.parameters.only("status").needs("status").oneOf("status", ["kill"]);
  const command = commandOf(call, false);
  if (progressOf(world, command).ended) {
    if (switches.cancelFinished !== "well, unchanged") refuseIf(switches.cancelFinished, "the command has ended");
  } else command.killedAt ??= command.seen;
  const record = shownCommand(world, command);
  switch (switches.cancelAnswer) {
    case "{}":
      return ok({});
    case "empty body":
      return { status: 200 };
    case "status done":
      return ok({ status: "done" });
    case "kill_succeeded":
      return ok({ kill_succeeded: "true" });
    case "204":
      return { status: 204 };
    case "id and status":
      return ok({ id: record["id"], status: record["status"] });
    default:
      return ok(record);
  }
}

const one = "/api/v1.2/commands/:id";

export const commandOperations: readonly Operation[] = [
  { name: "commands.view", method: "GET", paths: [one], need: needs.viewCommand, run: view },
  { name: "commands.cancel", method: "PUT", paths: [one], need: specified.submitCommand, run: cancel },
  {
    name: "commands.logs",
    method: "GET",
    paths: [`${one}/logs`],
    need: needs.viewLogs,
    run: (call) => logs(call, commandOf(call, false)),
  },
  {
    name: "commands.errorLogs",
    method: "GET",
    paths: [`${one}/error_logs`],
    need: needs.viewLogs,
    run: (call) => errorLogs(call, commandOf(call, false)),
  },
  {
    name: "commands.results",
    method: "GET",
    paths: [`${one}/results`],
    need: needs.viewResults,
    run: (call) => results(call, commandOf(call, false)),
  },
];
