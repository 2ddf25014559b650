import type { Readings } from "../../emulator/readings";
import { type Fields, isFields } from "../../provider/values/json";
import { type Undone, undoneUnless } from "./cleanup";
import { type Answer, isSame, policyIn, statusText } from "./forms";
import type { Session } from "./session";
import { policy } from "./specified";
import { type ObjectTarget, objectText } from "./targets";

export async function readPolicies(session: Session): Promise<void> {
  const { targets } = session;
  const all = [...targets.objects, ...targets.overwritable];
  if (all.length === 0) return session.notTried("pass --object TYPE/ID to view a policy", "objectPolicy.view");
  for (const target of all) await readPolicy(session, target);
  if (session.valueOf("policyView") === undefined)
    session.leaveOpen("policyView", "none of the objects has a policy, or its form is unknown");
}

const view = (session: Session, target: ObjectTarget): Promise<Answer> =>
  session.ask("objectPolicy.view", { body: target });

async function readPolicy(session: Session, target: ObjectTarget): Promise<void> {
  const answer = await view(session, target);
  const { error } = answer;
  if (error) {
    if (error.code !== "not-found") return session.failed("objectPolicy.view", error);
    const object = objectText(target);
    session.note("objectPolicy.view", `${object} has no policy, or does not exist (HTTP ${answer.status})`);
    return session.leaveOpen("policyMissing", `whether ${object} exists is not known; --write finds out`);
  }
  const { source_type: sourceType, source_id: sourceId } = target;
  await session.providerReads("objectPolicy.view", "getObjectPolicy", { sourceType, sourceId });
  const elements = policyIn(answer.json);
  if (elements && elements.length > 0) return readElements(session, answer, elements);
  readMissing(session, target, answer);
}

/** The form of the view, which only a policy with elements shows. */
function readElements(session: Session, answer: Answer, elements: readonly unknown[]): void {
  session.form("objectPolicy.view", "policyView", viewForm(answer), answer, "the view");
  session.check("objectPolicy.view", elements, policy, "2.6");
  const conditions = elements.map((element) => isFields(element) && element["condition"]).filter(isFields);
  const ids = conditions.flatMap(({ svc_users, svc_groups }) => [svc_users, svc_groups].filter(Array.isArray).flat());
  if (ids.length > 0 && session.valueOf("idType") !== "number") {
    const isText = ids.every((id) => typeof id === "string");
    session.reading("objectPolicy.view", "idType", isText ? "text-everywhere" : "text");
  }
  session.reading("objectPolicy.view", "policyIdLists", listsForm(conditions));
}

function viewForm({ json, fields }: Answer): Readings["policyView"] | undefined {
  if (Array.isArray(json)) return "array";
  if (typeof json === "string") return "text";
  const { policy: shown } = fields;
  if (shown === undefined || isFields(shown)) return undefined;
  if ("source_id" in fields && "source_type" in fields) return Array.isArray(shown) ? "wrapped" : "wrapped-text";
  return Object.keys(fields).length === 1 && Array.isArray(shown) ? "policy-only" : undefined;
}

/** A condition with one list is as it was set; if each has both, and some are empty, they were filled in. */
function listsForm(conditions: readonly Fields[]): Readings["policyIdLists"] | undefined {
  if (conditions.length === 0) return undefined;
  const hasBoth = (condition: Fields) => "svc_users" in condition && "svc_groups" in condition;
  if (!conditions.every(hasBoth)) return "as-set";
  const isFilled = ({ svc_users, svc_groups }: Fields) => isSame(svc_users, []) || isSame(svc_groups, []);
  return conditions.some(isFilled) ? "filled" : undefined;
}

/** The view of an object that exists and has no policy. */
function readMissing(session: Session, target: ObjectTarget, answer: Answer): void {
  const form = missingForm(answer, target, session.valueOf("policyView"));
  session.form("objectPolicy.view", "policyMissing", form, answer, "the view of an object without a policy");
}

function missingForm(
  { json, text, error }: Answer,
  target: ObjectTarget,
  usual: Readings["policyView"] | undefined,
): Readings["policyMissing"] | undefined {
  if (error) return error.code === "not-found" ? "404" : undefined;
  if (text.trim() === "") return "empty";
  if (json === null) return "null";
  const empty = {
    wrapped: { ...target, policy: [] },
    "wrapped-text": { ...target, policy: "[]" },
    "policy-only": { policy: [] },
    array: [],
    text: "[]",
  };
  if (usual && isSame(json, empty[usual])) return "usual";
  if (isSame(json, [])) return "array";
  return isSame(json, {}) ? "object" : undefined;
}

export async function writePolicies(session: Session): Promise<void> {
  const { overwritable } = session.targets;
  if (overwritable.length === 0) return session.notTried("pass --overwrite-policy TYPE/ID", "objectPolicy.set");
  for (const target of overwritable) await writePolicy(session, target);
}

async function writePolicy(session: Session, target: ObjectTarget): Promise<void> {
  const { facts } = session;
  const name = "objectPolicy.set";
  const object = objectText(target);
  const before = shownPolicy(await view(session, target));
  if (!before) return session.notTried(`the policy of ${object} could not be read, so it could not be put back`, name);
  const user = Number(facts.users[0]?.id);
  if (!Number.isInteger(user)) return session.notTried("no user with a numeric id is known", name);
  const step = { what: `policy of ${object}`, undo: () => restore(session, target, before) };
  const plain = [{ access: "allow", action: ["read"], condition: { svc_users: [user] } }];
  const answer = await session.ask(name, setting(target, plain), step);
  if (target.source_type === "environment") facts.environmentPolicies = !answer.error;
  if (answer.error) {
    if (target.source_type !== "environment") return session.failed(name, answer.error);
    return session.note(name, `refused for an environment (${statusText(answer.error)}), as specified`);
  }
  session.notShown(name, answer);
  const added = await viewSet(session, target);
  await writeOtherField(session, target, plain, added);
  if ((await session.ask(name, setting(target, []))).error) return;
  const missing = await view(session, target);
  if (shownPolicy(missing)?.length === 0) readMissing(session, target, missing);
}

const setting = (target: ObjectTarget, elements: readonly object[]) => ({
  body: { ...target, policy: JSON.stringify(elements) },
});

/** Whether the view adds fields that were not set. A policy may be shown late. */
async function viewSet(session: Session, target: ObjectTarget): Promise<boolean> {
  const set = await session.eventually(async () => {
    const answer = await session.expect("objectPolicy.view", { body: target });
    const elements = answer && policyIn(answer.json);
    return elements && elements.length > 0 ? { answer, elements } : undefined;
  });
  if (set?.isLate) session.deviates("objectPolicy.view", "a policy that was set is shown late", "copes");
  if (!set) session.deviates("objectPolicy.view", "a policy that was set is not shown", "needs this");
  else readElements(session, set.shown.answer, set.shown.elements);
  return set !== undefined && !set.shown.elements.every(isPlain);
}

const specified = ["access", "action", "condition"];
export const isPlain = (element: unknown): boolean =>
  isFields(element) && Object.keys(element).every((name) => specified.includes(name));

async function writeOtherField(
  session: Session,
  target: ObjectTarget,
  plain: readonly object[],
  added: boolean,
): Promise<void> {
  const { mark } = session.options;
  const marked = plain.map((element) => ({ ...element, conform: mark }));
  const { error } = await session.ask("objectPolicy.set", setting(target, marked));
  if (error) return session.reading("objectPolicy.set", "policyFields", "refused");
  const isKept = (await view(session, target)).text.includes(mark);
  const form = isKept ? (added ? "added" : "kept") : undefined;
  session.reading("objectPolicy.set", "policyFields", form, "other fields are dropped");
  if (!isKept) session.note("objectPolicy.set", "other fields of an element are dropped");
}

/**
 * What a view shows, as it can be set again. Undefined if that is not certain: a refusal or an unknown form does not
 * say that there is no policy, and what cannot be put back must not be overwritten.
 */
function shownPolicy({ error, json, text }: Answer): readonly Fields[] | undefined {
  if (error) return error.code === "not-found" ? [] : undefined;
  if (text.trim() === "" || json === null || isSame(json, {})) return [];
  return settableElements(json);
}

export function settableElements(json: unknown): readonly Fields[] | undefined {
  const elements = policyIn(json);
  const isWhole = (element: unknown): element is Fields =>
    isFields(element) &&
    typeof element["access"] === "string" &&
    (element["condition"] === undefined || isFields(element["condition"]));
  return elements?.every(isWhole)
    ? elements.map((element) => ({
        ...element,
        ...(isFields(element["condition"]) && { condition: settable(element["condition"]) }),
      }))
    : undefined;
}

/** Every condition as it is shown, but ids as numbers, which is how they are set, and without lists that are empty. */
function settable(condition: Fields): Fields {
  const asNumber = (id: unknown) => (/^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : id);
  const given = Object.entries(condition).filter(([, ids]) => !isSame(ids, []));
  return Object.fromEntries(given.map(([name, ids]) => [name, Array.isArray(ids) ? ids.map(asNumber) : ids]));
}

/** Without the fields that only a view has. */
const bare = (elements: readonly Fields[]): readonly Fields[] =>
  elements.map((element) => Object.fromEntries(Object.entries(element).filter(([name]) => specified.includes(name))));

/** Puts back what was shown before, and looks whether it is shown again. */
async function restore(session: Session, target: ObjectTarget, before: readonly Fields[]): Promise<Undone> {
  const object = objectText(target);
  const set = async (elements: readonly Fields[]) =>
    (await session.ask("objectPolicy.set", setting(target, elements))).error;
  const refusal = await set(before);
  const error = refusal && !before.every(isPlain) ? await set(bare(before)) : refusal;
  if (error) return undoneUnless(error, `setting the policy that ${object} had`);
  const isBack = await session.eventually(async () => {
    const shown = shownPolicy(await view(session, target));
    return (shown && isSame(bare(shown), bare(before))) || undefined;
  });
  return isBack
    ? { stays: `policy of ${object}: ${before.length === 0 ? "an empty one" : "put back as it was shown"}` }
    : { failed: `the policy that ${object} had was set again, but it is not shown as before` };
}
