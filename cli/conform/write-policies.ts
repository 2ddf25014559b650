import type { Client } from "../../provider/api/client";
import type { Undone } from "./cleanup";
import { type Answer, isRecord, isSame, type Json, policyIn } from "./forms";
import { noteMissing, readElements } from "./read-policy";
import { type Session, statusText } from "./session";
import { readNotShown } from "./specified";
import type { ObjectTarget } from "./targets";

export async function writePolicies(session: Session): Promise<void> {
  const { overwritable } = session.targets;
  if (overwritable.length === 0) return session.notTried("pass --overwrite-policy TYPE/ID", "objectPolicy.set");
  for (const target of overwritable) await writePolicy(session, target);
}

async function writePolicy(session: Session, target: ObjectTarget): Promise<void> {
  const { findings, facts } = session;
  const object = objectText(target);
  const before = shownPolicy(await session.ask("objectPolicy.view", { body: target }));
  if (!before)
    return session.notTried(
      `the policy of ${object} could not be read, so it could not be put back`,
      "objectPolicy.set",
    );
  const user = Number(facts.users[0]?.id);
  if (!Number.isInteger(user)) return session.notTried("no user with a numeric id is known", "objectPolicy.set");
  const step = session.cleanup.add(`policy of ${object}`, (client) => restore(session, client, target, before));
  const plain = [{ access: "allow", action: ["read"], condition: { svc_users: [user] } }];
  const answer = await set(session, target, plain);
  if (answer.error) {
    if (answer.error.outcome !== "open") session.cleanup.done(step);
    if (target.source_type !== "environment") return session.failed("objectPolicy.set", answer.error);
    session.environmentPolicies = false;
    return findings.note("objectPolicy.set", `refused for an environment (${statusText(answer.error)}), as specified`);
  }
  if (target.source_type === "environment") session.environmentPolicies = true;
  readNotShown(session, "objectPolicy.set", answer);
  const added = await viewSet(session, target);
  await writeOtherField(session, target, plain, added);
  if ((await set(session, target, [])).error) return;
  const missing = await session.ask("objectPolicy.view", { body: target });
  if (shownPolicy(missing)?.length === 0) noteMissing(session, target, missing);
}

const objectText = ({ source_type, source_id }: ObjectTarget): string => `${source_type}/${source_id}`;

function set(session: Session, target: ObjectTarget, policy: readonly unknown[], client?: Client): Promise<Answer> {
  return session.ask("objectPolicy.set", { body: { ...target, policy: JSON.stringify(policy) } }, client);
}

/** Whether the view adds fields that were not set. A policy may be shown late. */
async function viewSet(session: Session, target: ObjectTarget): Promise<boolean> {
  const { findings } = session;
  for (let look = 0; look < 5; look++) {
    if (look > 0) await session.pause();
    const view = await session.expect("objectPolicy.view", { body: target });
    const elements = view && policyIn(view.json);
    if (!view || !elements || elements.length === 0) continue;
    if (look > 0) findings.deviates("objectPolicy.view", "a policy that was set is shown late", { provider: "copes" });
    readElements(session, view, elements);
    return !elements.every(isPlain);
  }
  findings.deviates("objectPolicy.view", "a policy that was set is not shown", { provider: "needs this" });
  return false;
}

const specified = ["access", "action", "condition"];
const isPlain = (element: unknown): boolean =>
  isRecord(element) && Object.keys(element).every((name) => specified.includes(name));

async function writeOtherField(
  session: Session,
  target: ObjectTarget,
  plain: readonly object[],
  added: boolean,
): Promise<void> {
  const { findings } = session;
  const marked = plain.map((element) => ({ ...element, conform: session.options.mark }));
  const { error } = await set(session, target, marked);
  if (error) return findings.reading("objectPolicy.set", "policyFields", "refused");
  const { text } = await session.ask("objectPolicy.view", { body: target });
  const isKept = text.includes(session.options.mark);
  findings.reading("objectPolicy.set", "policyFields", isKept ? (added ? "added" : "kept") : undefined);
  if (isKept) return;
  findings.note("objectPolicy.set", "other fields of an element are dropped");
  findings.leaveOpen("policyFields", "other fields are dropped");
}

/**
 * What a view shows, as it can be set again. Undefined if that is not certain: a refusal or an unknown form does not
 * say that there is no policy, and what cannot be put back must not be overwritten.
 */
function shownPolicy({ error, json, text }: Answer): readonly Json[] | undefined {
  if (error) return error.code === "not-found" ? [] : undefined;
  if (text.trim() === "" || json === null || isSame(json, {})) return [];
  return elementsIn(json);
}

function elementsIn(json: unknown): readonly Json[] | undefined {
  const elements = policyIn(json);
  const isWhole = (element: unknown): element is Json =>
    isRecord(element) &&
    typeof element["access"] === "string" &&
    (element["condition"] === undefined || isRecord(element["condition"]));
  return elements?.every(isWhole)
    ? elements.map((element) => ({
        ...element,
        ...(isRecord(element["condition"]) && { condition: settable(element["condition"]) }),
      }))
    : undefined;
}

/** Every condition as it is shown, but ids as numbers, which is how they are set, and without lists that are empty. */
function settable(condition: Json): Json {
  const asNumber = (id: unknown) => (/^[1-9]\d{0,14}$/.test(String(id)) ? Number(id) : id);
  const given = Object.entries(condition).filter(([, ids]) => !isSame(ids, []));
  return Object.fromEntries(given.map(([name, ids]) => [name, Array.isArray(ids) ? ids.map(asNumber) : ids]));
}

/** Without the fields that only a view has. */
const bare = (elements: readonly Json[]): readonly Json[] =>
  elements.map((element) => Object.fromEntries(Object.entries(element).filter(([name]) => specified.includes(name))));

/** Puts back what was shown before, and looks whether it is shown again. */
async function restore(
  session: Session,
  client: Client,
  target: ObjectTarget,
  before: readonly Json[],
): Promise<Undone> {
  const object = objectText(target);
  const whole = await set(session, target, before, client);
  const { error } = whole.error && !before.every(isPlain) ? await set(session, target, bare(before), client) : whole;
  if (error) return { failed: `setting the policy that ${object} had was refused (${statusText(error)})` };
  for (let look = 0; look < 5; look++) {
    if (look > 0) await client.pause(session.options.pauseMs);
    const shown = shownPolicy(await session.ask("objectPolicy.view", { body: target }, client));
    if (shown && isSame(bare(shown), bare(before)))
      return { stays: `policy of ${object}: ${before.length === 0 ? "an empty one" : "put back as it was shown"}` };
  }
  return { failed: `the policy that ${object} had was set again, but it is not shown as before` };
}

/** The same policy again: what the folder allows does not change. */
export async function writeFolderPolicy(session: Session, target: object): Promise<void> {
  const view = await session.ask("folders.viewPolicy", { query: { ...target } });
  const found = view.error ? undefined : elementsIn(view.json);
  if (!found?.every(isPlain)) return session.notTried("the folder's policy could not be put back", "folders.policy");
  const answer = await session.expect("folders.policy", { body: { ...target, policy: JSON.stringify(found) } });
  if (answer) readNotShown(session, "folders.policy", answer);
}
