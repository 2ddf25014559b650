import type { Readings } from "../../emulator/readings";
import { type Answer, isRecord, isSame, type Json, policyIn, recordsIn } from "./forms";
import type { Session } from "./session";
import { checkShape, policy } from "./specified";
import type { ObjectTarget } from "./targets";

export async function readPolicies(session: Session): Promise<void> {
  const { findings, targets } = session;
  const all = [...targets.objects, ...targets.overwritable];
  if (all.length === 0) return session.notTried("pass --object TYPE/ID to view a policy", "objectPolicy.view");
  for (const target of all) {
    const answer = await session.ask("objectPolicy.view", { body: target });
    await viewed(session, target, answer);
  }
  if (findings.valueOf("policyView") === undefined)
    findings.leaveOpen("policyView", "none of the objects has a policy, or its form is unknown");
}

async function viewed(session: Session, target: ObjectTarget, answer: Answer): Promise<void> {
  const { findings } = session;
  const object = `${target.source_type}/${target.source_id}`;
  if (answer.error) {
    if (answer.error.code !== "not-found") return session.failed("objectPolicy.view", answer.error);
    findings.note("objectPolicy.view", `${object} has no policy, or does not exist (HTTP ${answer.status})`);
    return findings.leaveOpen("policyMissing", `whether ${object} exists is not known; --write finds out`);
  }
  await session.providerReads("objectPolicy.view", "getObjectPolicy", {
    sourceType: target.source_type,
    sourceId: target.source_id,
  });
  const elements = policyIn(answer.json);
  if (elements && elements.length > 0) return readElements(session, answer, elements);
  noteMissing(session, target, answer);
}

/** The form of the view, which only a policy with elements shows. */
export function readElements(session: Session, answer: Answer, elements: readonly unknown[]): void {
  const { findings } = session;
  session.form("objectPolicy.view", "policyView", viewForm(answer.json, elements), { answer, what: "the view" });
  checkShape(findings, "objectPolicy.view", elements, policy, "2.6");
  readIds(session, elements);
  const conditions = recordsIn(elements.map((element) => (isRecord(element) ? element["condition"] : undefined)));
  findings.reading("objectPolicy.view", "policyIdLists", listsForm(conditions));
}

function viewForm(json: unknown, elements: readonly unknown[]): Readings["policyView"] | undefined {
  if (Array.isArray(json)) return isSame(json, elements) ? "array" : undefined;
  if (typeof json === "string") return "text";
  if (!isRecord(json)) return undefined;
  const names = Object.keys(json);
  if (!("policy" in json) || isRecord(json["policy"])) return undefined;
  if ("source_id" in json && "source_type" in json) return Array.isArray(json["policy"]) ? "wrapped" : "wrapped-text";
  return names.length === 1 && Array.isArray(json["policy"]) ? "policy-only" : undefined;
}

function readIds(session: Session, elements: readonly unknown[]): void {
  const ids = recordsIn(elements).flatMap(({ condition }) =>
    isRecord(condition) ? [condition["svc_users"], condition["svc_groups"]].filter(Array.isArray).flat() : [],
  );
  if (ids.length === 0 || session.findings.valueOf("idType") === "number") return;
  const isText = ids.every((id) => typeof id === "string");
  session.findings.reading("objectPolicy.view", "idType", isText ? "text-everywhere" : "text");
}

/** A condition with one list is as it was set; if each has both, and some are empty, they were filled in. */
function listsForm(conditions: readonly Json[]): Readings["policyIdLists"] | undefined {
  if (conditions.length === 0) return undefined;
  const hasBoth = (condition: Json) => "svc_users" in condition && "svc_groups" in condition;
  if (!conditions.every(hasBoth)) return "as-set";
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  return conditions.some(({ svc_users, svc_groups }) => isEmpty(svc_users) || isEmpty(svc_groups))
    ? "filled"
    : undefined;
}

/** The view of an object that exists and has no policy. */
export function noteMissing(session: Session, target: ObjectTarget, answer: Answer): void {
  const form = missingForm(answer, target, session.findings.valueOf("policyView"));
  session.form("objectPolicy.view", "policyMissing", form, { answer, what: "the view of an object without a policy" });
}

function missingForm(
  { json, text, error }: Answer,
  target: ObjectTarget,
  usual: Readings["policyView"] | undefined,
): Readings["policyMissing"] | undefined {
  if (error) return error.code === "not-found" ? "404" : undefined;
  if (text.trim() === "") return "empty";
  if (json === null) return "null";
  if (isSame(json, usualEmpty(target, usual, json))) return "usual";
  if (isSame(json, [])) return "array";
  return isSame(json, {}) ? "object" : undefined;
}

function usualEmpty(
  { source_id, source_type }: ObjectTarget,
  form: Readings["policyView"] | undefined,
  json: unknown,
): unknown {
  switch (form) {
    case "wrapped":
      return ordered(json, { source_id, source_type, policy: [] });
    case "wrapped-text":
      return ordered(json, { source_id, source_type, policy: "[]" });
    case "policy-only":
      return { policy: [] };
    case "array":
      return [];
    case "text":
      return "[]";
    case undefined:
      return undefined;
  }
}

/** In the order of the other's fields: order means nothing here. */
function ordered(like: unknown, fields: Json): Json {
  const names = isRecord(like) ? Object.keys(like).filter((name) => name in fields) : [];
  return names.length === Object.keys(fields).length
    ? Object.fromEntries(names.map((name) => [name, fields[name]]))
    : fields;
}
