import { type Fields, isFields } from "../../provider/values/json";
import type { Answer } from "./answer";
import type { OperationName } from "./catalogue";
import type { Op } from "./findings";
import { type Found, idOf, recordsIn, valueIn } from "./forms";
import type { Session } from "./session";

/**
 * The records of a list that has pages according to its manual; undefined where the installation does not have it, or
 * answers with anything else than a list.
 */
export async function readExtendedList(
  session: Session,
  name: "dbTaps.list" | "groups.list" | "roles.list",
  list: string,
  readForm: (op: Op, form: "array" | "named" | "paged") => void,
): Promise<readonly Fields[] | undefined> {
  const answer = await session.expect(name);
  if (!answer) return undefined;
  const { op } = answer;
  const form = answer.listForm(list);
  if (!form) {
    op.notThere(`answers, but not with a list: ${answer.shape}`);
    return undefined;
  }
  readForm(op, form);
  // The status of a page after the last one; a list without pages does not tell.
  const { error } = await session.ask(name, { query: { page: 10_000 } });
  op.reading("pageOutOfBounds", { 404: error?.status === 404, 422: error?.status === 422 });
  return recordsIn(answer.json, list);
}

async function readNamed(session: Session, kind: "groups" | "roles"): Promise<string[]> {
  const named = session.facts[kind];
  const records = await readExtendedList(session, `${kind}.list`, kind, (op, form) =>
    op.reading(kind === "groups" ? "groupList" : "roleList", form),
  );
  for (const { id, name, source } of records ?? [])
    if (idOf(id) !== undefined && typeof name === "string") named.push({ id: idOf(id)!, name, source });
  return named.map(({ id }) => id);
}

export async function readGroups(session: Session): Promise<void> {
  const paths = (await readNamed(session, "groups")).map((group) => ({ group }));
  const ofOne = ["groups.view", "groups.users", "groups.roles"] as const;
  if (paths.length === 0) return session.notTried("no group is known", ...ofOne);
  await untilKnown(session, "groups.view", paths, "groupRecord", ({ json, fields: { members, roles } }) => {
    const [first] = [members, roles].filter(Array.isArray).flat();
    return {
      plain: isFields(json) && members === undefined && roles === undefined,
      records: isFields(first),
      ids: first !== undefined,
    };
  });
  await untilKnown(session, "groups.users", paths, "groupUsers", usersForms, "every list is empty");
  await untilKnown(session, "groups.roles", paths, "groupRoles", listForms("roles"), "every list is empty");
}

export async function readRoles(session: Session): Promise<void> {
  const paths = (await readNamed(session, "roles")).map((role) => ({ role }));
  const [first] = paths;
  if (!first) return session.notTried("no role is known", "roles.view", "roles.groups");
  const view = await session.expect("roles.view", { path: first });
  const { policy, policies } = view?.fields ?? {};
  view?.op.reading("roleRecord", {
    text: typeof policy === "string",
    array: Array.isArray(policy),
    policies: typeof policies === "string",
    plain: isFields(view.json) && !("policy" in view.fields),
  });
  await untilKnown(session, "roles.groups", paths, "roleGroups", listForms("groups"), "every list is empty");
}

/** At most this many things are looked at to find one that tells something. */
const looks = 20;

/** An empty list tells nothing, so ask for one thing after the other until one has entries; `ifEmpty`: if none has. */
async function untilKnown<N extends "groupRecord" | "groupUsers" | "groupRoles" | "roleGroups">(
  session: Session,
  name: OperationName,
  paths: readonly Record<string, string>[],
  reading: N,
  forms: (answer: Answer) => Found<N>,
  ifEmpty?: string,
): Promise<void> {
  for (const path of paths.slice(0, looks)) {
    const answer = await session.expect(name, { path });
    if (!answer) return;
    const found = valueIn<N>(forms(answer));
    if (found !== undefined) return answer.op.reading(reading, found);
    if (ifEmpty !== undefined && answer.text.length > 20) session.leaveOpen(reading, `another form: ${answer.shape}`);
  }
  if (ifEmpty !== undefined) session.leaveOpen(reading, ifEmpty);
}

const firstIn = (json: unknown): unknown => (Array.isArray(json) ? json[0] : undefined);

function usersForms(answer: Answer) {
  const { names, ...forms } = listForms("users")(answer);
  // A user has no name other than the address.
  const isAddress = String(firstIn(answer.json)).includes("@");
  return {
    ...forms,
    emails: names && isAddress,
    ids: forms.ids || (names && !isAddress),
    svc_users: isFields(firstIn(answer.fields["svc_users"])),
  };
}

/** Records under the expected name; or a bare list of records, names or ids. */
function listForms<Name extends string>(name: Name) {
  return ({ json, fields }: Answer) => {
    const first = firstIn(json);
    return {
      ...({ [name]: isFields(firstIn(fields[name])) } as Record<Name, boolean>),
      array: isFields(first),
      ids: typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first)),
      names: typeof first === "string",
    };
  };
}
