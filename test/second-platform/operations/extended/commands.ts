import { type Answer, missing, ok } from "../../answers";
import type { Command } from "../../model";
import { type Call, type Operation, operation, needs as specified } from "../../operation";
import { pick } from "../../rights";
import { progressOf } from "../command-object";
import { errorLogs, logs } from "./command-logs";
import { results } from "./command-results";
import { shownCommand } from "./command-view";
import { needs } from "./needs";

/** A command of the account. Each look at it moves it on, as the history does. */
export function commandOf(call: Call, look = true): Command {
  const given = call.path["id"] ?? "";
  const { world } = call;
  const command = pick(call, world.data.commands, (one) => String(one.id) === given, `command ${given}`);
  if (!world.passed(command.shown)) throw missing(`command ${given} not found`);
  if (look) command.seen += 1;
  return command;
}

function view(call: Call): Answer {
  const record = shownCommand(call.world, commandOf(call));
  return {
    bare: ok(record),
    "under command": ok({ command: record }),
    "list of one": ok([record]),
  }[call.world.switches.viewEnvelope];
}

function cancel(call: Call): Answer {
  const { world } = call;
  const { switches } = world;
  call.parameters.only("status").needs("status").oneOf("status", ["kill"]);
  const command = commandOf(call, false);
  if (!progressOf(world, command).ended) command.killedAt ??= command.seen;
  const record = shownCommand(world, command);
  return {
    "command object": ok(record),
    "{}": ok({}),
    "empty body": { status: 200 },
    "status done": ok({ status: "done" }),
    kill_succeeded: ok({ kill_succeeded: "true" }),
    "204": { status: 204 },
    "id and status": ok({ id: record["id"], status: record["status"] }),
  }[switches.cancelAnswer];
}

const one = "/api/v1.2/commands/:id";

export const commandOperations: readonly Operation[] = [
  operation("commands.view", `GET ${one}`, needs.viewCommand, view),
  operation("commands.cancel", `PUT ${one}`, specified.submitCommand, cancel),
  operation("commands.logs", `GET ${one}/logs`, needs.viewLogs, (call) => logs(call, commandOf(call, false))),
  operation("commands.errorLogs", `GET ${one}/error_logs`, needs.viewLogs, (call) =>
    errorLogs(call, commandOf(call, false)),
  ),
  operation("commands.results", `GET ${one}/results`, needs.viewResults, (call) =>
    results(call, commandOf(call, false)),
  ),
];
