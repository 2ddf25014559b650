import { type Answer, answered, errorAnswer, missing, ok, Refusal } from "../../answers";
import type { Command } from "../../model";
import type { Call } from "../../operation";
import type { World } from "../../world";
import { progressOf } from "../command-object";

const lines = ["Starting", 'Gr\u00f6\u00dfe: 3 rows, "quoted"', "Done"];

function textOf(world: World): string {
  return {
    "newline at the end": `${lines.join("\n")}\n`,
    "no newline at the end": lines.join("\n"),
    "CR LF": `${lines.join("\r\n")}\r\n`,
    empty: "",
    "JSON inside": '{"level":"info","message":"Starting"}\n',
    "control characters": `\u001b[32m${lines.join("\u001b[0m\n")}\u0001\n`,
  }[world.switches.logsText];
}

function notStarted({ world: { switches } }: Call): Answer | undefined {
  const message = "the command has not started";
  return answered<Answer | undefined>(
    {
      empty: { status: 200, text: "" },
      missing: missing("the command has no logs yet"),
      "422": new Refusal("invalid", message, errorAnswer(422, message, switches)),
      "text all the same": undefined,
    }[switches.logsNone],
  );
}

/** Raw text; partial logs count the bytes that the caller has. */
export function logs(call: Call, command: Command): Answer {
  const { world, query } = call;
  const { switches } = world;
  const early = progressOf(world, command).started ? undefined : notStarted(call);
  const whole = Buffer.from(early?.text ?? textOf(world));
  const asked = "err_file_processed" in query || "tmp_file_processed" in query;
  const from = Number(query["err_file_processed"] ?? 0) || 0;
  const lengths = switches.logsLengths === "always" || (switches.logsLengths === "when asked" && asked);
  return {
    status: 200,
    text: whole.subarray(from).toString("utf8"),
    ...(switches.logsType !== "absent" && { type: switches.logsType }),
    encoding: switches.logsEncoding,
    headers: lengths ? { err_length: String(whole.length), tmp_length: "0" } : {},
  };
}

export function errorLogs(call: Call, command: Command): Answer {
  const { world } = call;
  const progress = progressOf(world, command);
  if (progress.status === "error") {
    const ends = { "newline at the end": "\n", "no newline": "", "CR LF": "\r\n" };
    return ok({ error_log: `${command.failure ?? "the program failed"}${ends[world.switches.errorLogsText]}` });
  }
  return answered<Answer>(
    {
      "empty text": ok({ error_log: "" }),
      null: ok({ error_log: null }),
      absent: ok({}),
      missing: missing("the command has no error log"),
    }[world.switches.errorLogsNone],
  );
}
