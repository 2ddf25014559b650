import type { Answer } from "./answers";
import type { Operation } from "./operation";
import type { Switches } from "./switches";

const idNames = new Set(["id", "account_id", "user_id", "uid"]);
const shownCreations = /^(whitelist\.add|commands\.submit|dataStores\.create|accounts\.create)/;

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function idAs(switches: Switches, value: number, inList: boolean): unknown {
  if (switches.ids === "text" || (switches.ids === "text inside lists" && inList)) return String(value);
  return switches.ids === "text when odd" && value % 2 === 1 ? String(value) : value;
}

/** Gives the ids and empty fields of an answer the form that the switches ask for. */
function reshape(switches: Switches, value: unknown, inList = false): unknown {
  if (Array.isArray(value)) return value.map((item) => reshape(switches, item, true));
  if (!isRecord(value)) return value;
  const shaped: Json = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === null && switches.nullFields === "absent") continue;
    if (field === null && switches.nullFields === "empty text") shaped[name] = "";
    else if (typeof field === "number" && idNames.has(name)) shaped[name] = idAs(switches, field, inList);
    else shaped[name] = reshape(switches, field, inList);
  }
  return "id" in value ? { ...shaped, ...extra(switches) } : shaped;
}

function extra(switches: Switches): Json {
  if (switches.extraFields === "in records") return { resource_version: 7, labels: { team: null }, flags: [] };
  if (switches.extraFields === "names of other fields nested")
    return {
      parent: { id: 999_999, status: "error", email: "trap@example.com", ip_cidr: "192.0.2.250", tags: ["trap"] },
    };
  return {};
}

/** Applies the switches that affect successful answers of every operation. */
export function decorate(switches: Switches, operation: Operation, plain: Answer): Answer {
  let answer = plain;
  if (answer.json === undefined) return answer;
  const refresh = isRecord(answer.json) && answer.json["template"] === "s3import";
  if (answer.status === 200 && shownCreations.test(operation.name) && !refresh && switches.successStatus !== "200")
    answer = { ...answer, status: Number.parseInt(switches.successStatus, 10) };
  let json = reshape(switches, answer.json);
  if (operation.deprecated && switches.deprecation === "field in the body" && isRecord(json))
    json = { ...json, warning: "to be deprecated" };
  if (switches.extraFields === "in the envelope" && isRecord(json))
    json = { request_id: "5f2c", server: { node: 3, id: 999_999 }, links: [], ...json };
  return { ...answer, json };
}
