import { type Fields, isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import { undoneUnless } from "./cleanup";
import { isSame, policyIn, statusText } from "./forms";
import type { Session } from "./session";
import { policy } from "./specified";
import { type FolderTarget, type ObjectTarget, objectText } from "./targets";

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
  const { op, error, status } = answer;
  if (error) {
    if (error.code !== "not-found") return op.failed(error);
    const object = objectText(target);
    op.note(`${object} has no policy, or does not exist (HTTP ${status})`);
    return session.leaveOpen("policyMissing", `whether ${object} exists is not known; --write finds out`);
  }
  const { source_type: sourceType, source_id: sourceId } = target;
  await session.providerReads("objectPolicy.view", "getObjectPolicy", { sourceType, sourceId });
  const elements = policyIn(answer.json);
  if (elements && elements.length > 0) readElements(session, answer, elements);
  else readMissing(session, target, answer);
}

/** The form of the view, which only a policy with elements shows. */
function readElements(session: Session, answer: Answer, elements: readonly unknown[]): void {
  const { op, json, fields } = answer;
  const { policy: shown } = fields;
  const isWrapped = "source_id" in fields && "source_type" in fields;
  const viewForms = {
    array: Array.isArray(json),
    text: typeof json === "string",
    wrapped: isWrapped && Array.isArray(shown),
    "wrapped-text": isWrapped && shown !== undefined && !isFields(shown),
    "policy-only": Object.keys(fields).length === 1 && Array.isArray(shown),
  };
  answer.form("policyView", viewForms, "the view");
  op.check(elements, policy, "2.6");
  const conditions = elements.map((element) => isFields(element) && element["condition"]).filter(isFields);
  const ids = conditions.flatMap(({ svc_users, svc_groups }) => [svc_users, svc_groups].filter(Array.isArray).flat());
  if (ids.length > 0 && session.valueOf("idType") !== "number")
    op.reading("idType", ids.every((id) => typeof id === "string") ? "text-everywhere" : "text");
  // A condition with one list is as it was set; if each has both, and some are empty, they were filled in.
  op.reading("policyIdLists", {
    "as-set": conditions.some((condition) => !("svc_users" in condition && "svc_groups" in condition)),
    filled: conditions.some(({ svc_users, svc_groups }) => isSame(svc_users, []) || isSame(svc_groups, [])),
  });
}

/** The view of an object that exists and has no policy. */
function readMissing(session: Session, target: ObjectTarget, answer: Answer): void {
  const { json, isEmpty, error } = answer;
  const usual = {
    wrapped: { ...target, policy: [] },
    "wrapped-text": { ...target, policy: "[]" },
    "policy-only": { policy: [] },
    array: [],
    text: "[]",
  };
  const form = session.valueOf("policyView");
  const forms = {
    404: error?.code === "not-found",
    empty: !error && isEmpty,
    null: !error && json === null,
    usual: !error && form !== undefined && isSame(json, usual[form]),
    array: !error && isSame(json, []),
    object: !error && isSame(json, {}),
  };
  answer.form("policyMissing", forms, "the view of an object without a policy");
}

export async function writePolicies(session: Session): Promise<void> {
  const { overwritable } = session.targets;
  if (overwritable.length === 0) return session.notTried("pass --overwrite-policy TYPE/ID", "objectPolicy.set");
  for (const target of overwritable) await writePolicy(session, target);
}

async function writePolicy(session: Session, target: ObjectTarget): Promise<void> {
  const name = "objectPolicy.set";
  const object = objectText(target);
  const before = shownPolicy(await view(session, target));
  if (!before) return session.notTried(`the policy of ${object} could not be read, so it could not be put back`, name);
  const user = Number(session.facts.users[0]?.id);
  if (!Number.isInteger(user)) return session.notTried("no user with a numeric id is known", name);
  const step = { what: `policy of ${object}`, undo: () => restore(session, target, before) };
  const plain = [{ access: "allow", action: ["read"], condition: { svc_users: [user] } }];
  const answer = await session.ask(name, setting(target, plain), step);
  const { op, error } = answer;
  const isEnvironment = target.source_type === "environment";
  if (isEnvironment) op.doesMore = !error;
  if (error && isEnvironment) return op.note(`refused for an environment (${statusText(error)}), as specified`);
  if (error) return op.failed(error);
  answer.notShown();
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
  const op = session.op("objectPolicy.view");
  if (set?.isLate) op.deviates("a policy that was set is shown late", "copes");
  if (!set) op.deviates("a policy that was set is not shown", "needs this");
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
  const { op, error } = await session.ask("objectPolicy.set", setting(target, marked));
  if (error) return op.reading("policyFields", "refused");
  const isKept = (await view(session, target)).text.includes(mark);
  op.reading("policyFields", { added: isKept && added, kept: isKept }, "other fields are dropped");
  if (!isKept) op.note("other fields of an element are dropped");
}

/**
 * What a view shows, as it can be set again. Undefined if that is not certain: a refusal or an unknown form does not
 * say that there is no policy, and what cannot be put back must not be overwritten.
 */
function shownPolicy({ error, json, isEmpty }: Answer): readonly Fields[] | undefined {
  if (error) return error.code === "not-found" ? [] : undefined;
  if (isEmpty || json === null || isSame(json, {})) return [];
  return settableElements(json);
}

function settableElements(json: unknown): readonly Fields[] | undefined {
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
async function restore(session: Session, target: ObjectTarget, before: readonly Fields[]): Promise<string | undefined> {
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
  if (!isBack) return `the policy that ${object} had was set again, but it is not shown as before`;
  session.cleanup.stays(`policy of ${object}: ${before.length === 0 ? "an empty one" : "put back as it was shown"}`);
  return undefined;
}

const placeOf = ({ location, type }: FolderTarget) => ({ location, type, source_type: "Folder" });

export async function readFolder(session: Session): Promise<void> {
  const { folder } = session.targets;
  if (!folder)
    return session.notTried("pass --folder TYPE/ID/LOCATION", "folders.viewPolicy", "folders.rename", "folders.policy");
  const { error, op } = await session.ask("folders.viewPolicy", { query: placeOf(folder) });
  if (!error) return;
  const missing = session.valueOf("policyMissing");
  const isClear = error.code !== "not-found" || !error.fromPlatform || (missing !== undefined && missing !== "404");
  if (isClear) op.failed(error);
  else session.notTried("answered with 404: the folder has no policy, or the operation is lacking", op.name);
}

/** Renames the folder and back; its policy is set only where it can be seen before. */
export async function writeFolder(session: Session): Promise<void> {
  const { folder } = session.targets;
  if (!folder) return;
  const { location, type, id } = folder;
  const name = location.slice(location.lastIndexOf("/") + 1);
  const other = `${name}-conform-${session.options.mark}`;
  const renamed = location.slice(0, location.length - name.length) + other;
  const renaming = (to: string, from: string) => ({ body: { folder_id: id, type, name: to, location: from } });
  /** `refusal`: of the new location, where a rename does not change it; `error`: nothing gave the name back. */
  const renameBack = async () => {
    const { error: refusal } = await session.ask("folders.rename", renaming(name, renamed));
    const { error } = refusal ? await session.ask("folders.rename", renaming(name, location)) : { error: undefined };
    return { refusal, error };
  };
  const step = {
    what: `name of folder ${location}`,
    undo: async () => undoneUnless((await renameBack()).error, `renaming it back from ${renamed}`),
  };
  const answer = await session.expect("folders.rename", renaming(other, location), step);
  if (!answer) return;
  answer.notShown();
  const { refusal, error } = await renameBack();
  if (error) return answer.op.failed(refusal ?? error);
  if (refusal)
    answer.op.note("a rename does not change the location: give what needs it the location, not currentLocation");
  session.cleanup.done(step);
  await writeFolderPolicy(session, placeOf(folder));
}

/** The same policy again: what the folder allows does not change. */
async function writeFolderPolicy(session: Session, place: ReturnType<typeof placeOf>): Promise<void> {
  const view = await session.ask("folders.viewPolicy", { query: place });
  const found = view.error ? undefined : settableElements(view.json);
  if (!found?.every(isPlain)) return session.notTried("the folder's policy could not be put back", "folders.policy");
  const answer = await session.expect("folders.policy", { body: { ...place, policy: JSON.stringify(found) } });
  answer?.notShown();
}
