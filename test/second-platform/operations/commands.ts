import { type Answer, invalid, ok } from "../answers";
import type { Command } from "../model";
import { type Call, needs, type Operation, operation } from "../operation";
import type { Parameters } from "../parameters";
import type { World } from "../world";
import { commandObject } from "./command-object";
import { readDistCp } from "./dist-cp";
import type { ReadCommand } from "./read-command";
import { readRefresh } from "./refresh";
import { readSpark } from "./spark";

function readName(parameters: Parameters): string | null {
  const name = parameters.text("name");
  if (name === undefined) return null;
  if ([...name].length > 255) throw invalid("name has more than 255 characters");
  if (/[&<>"']/.test(name)) throw invalid("name has a forbidden character");
  return name;
}

function readTags(parameters: Parameters): string[] {
  return (parameters.list("tags") ?? []).map((tag) => {
    if (typeof tag !== "string") throw invalid("each tag must be a string");
    if ([...tag].length > 255) throw invalid("a tag has more than 255 characters");
    return tag;
  });
}

function readMacros(parameters: Parameters): unknown {
  const macros = parameters.list("macros");
  for (const macro of macros ?? []) {
    if (typeof macro !== "object" || macro === null || Array.isArray(macro)) throw invalid("each macro is an object");
    const types = ["string", "number", "boolean"];
    if (Object.values(macro).some((value) => !types.includes(typeof value)))
      throw invalid("a macro's expression has a wrong type");
  }
  return macros ?? null;
}

function readKind(world: World, parameters: Parameters): ReadCommand {
  const type = parameters.text("command_type");
  if (parameters.text("template") === "s3import") return readRefresh(world, parameters, type);
  if (type === "SparkCommand") return readSpark(world, parameters);
  if (type === "HadoopCommand") return readDistCp(parameters);
  throw invalid("command_type must be SparkCommand or HadoopCommand, or template s3import");
}

function submit(call: Call): Answer {
  const { world, user, parameters } = call;
  const { switches } = world;
  const timeout = parameters.within("timeout", 1, Number.MAX_SAFE_INTEGER) ?? null;
  const name = readName(parameters);
  const tags = readTags(parameters);
  const macros = readMacros(parameters);
  const label = parameters.text("label") ?? null;
  const read = readKind(world, parameters);
  const id = world.nextId("command");
  const command: Command = {
    id,
    uid: user.userId,
    accountId: user.accountId,
    userId: user.userId,
    commandType: read.commandType,
    command: read.command,
    parameters: structuredClone(call.body),
    tags,
    name,
    label,
    pool: read.pool ?? null,
    timeout,
    template: read.template ?? null,
    macros,
    createdAt: world.now(),
    seen: 0,
    shown: world.delay(switches.historyDelay),
    tagsShown: world.delay(switches.tagsDelay),
  };
  world.data.commands.push(command);
  const whole = commandObject(world, command, false);
  const { id: newId, status } = whole;
  const answer = { "whole object": whole, "id and status": { id: newId, status }, "id only": { id: newId } }[
    switches.submissionAnswer
  ];
  return ok(answer);
}

export const commandOperations: readonly Operation[] = [
  operation("commands.submit", "POST /api/v1.2/commands/", needs.submitCommand, submit, { slashOptional: true }),
];
