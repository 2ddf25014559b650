import { type Answer, errorAnswer, ok, Refusal } from "../../answers";
import type { Command } from "../../model";
import type { Call } from "../../operation";
import { progressOf } from "../command-object";

const header = ["id", "name"];
const rows = [
  ["1", "first"],
  ["2", "zwölf"],
];

const isTrue = (text: string | undefined) => text === "true" || text === "1";

function resultsText(call: Call): unknown {
  const { switches } = call.world;
  const headers = call.query["include_headers"];
  const withHeader = headers === undefined ? switches.resultsHeaders === "with" : isTrue(headers);
  const many = Array.from({ length: 20_000 }, (_, index) => [String(index), "row"]);
  const body = switches.resultsContent === "20,000 rows" ? many : rows;
  const all = [...(withHeader ? [header] : []), ...body];
  if (switches.resultsContent === "empty text") return "";
  if (switches.resultsContent === "null") return null;
  if (switches.resultsContent === "list of rows") return all;
  const way = switches.resultsRows;
  const column = isTrue(call.query["raw"]) || way === "^A between columns" ? "\u0001" : "\t";
  const row = way === "LF after each" ? "\n" : "\r\n";
  const text = all.map((cells) => cells.join(column)).join(row);
  return way === "CR LF between" ? text : text + row;
}

function inlineFlag(call: Call, inline: boolean): Record<string, unknown> {
  const forms = { boolean: { inline }, text: { inline: String(inline) }, absent: {} };
  return forms[call.world.switches.resultsFlag];
}

function resultFields(call: Call, command: Command): Record<string, unknown> {
  const place = call.world.switches.resultsPlace;
  const asked = call.query["inline"];
  const inline = place === "inline" || (place === "as asked, else inline" && (asked === undefined || isTrue(asked)));
  if (inline) return { ...inlineFlag(call, true), results: resultsText(call) };
  const location = `s3://acme-bucket/runs/${command.id}.results`;
  const locations =
    place === "by one location as text"
      ? location
      : place === "by no location"
        ? []
        : [`${location}/000`, `${location}/001`];
  return { ...inlineFlag(call, false), result_location: locations };
}

/** Results of a command that is not done: status 422, whatever other refusals look like. */
export function results(call: Call, command: Command): Answer {
  if (progressOf(call.world, command).status !== "done") {
    const message = `command ${command.id} is not done`;
    throw new Refusal("invalid", message, errorAnswer(422, message, call.world.switches));
  }
  return ok(resultFields(call, command));
}
