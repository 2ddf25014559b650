import type { Hook } from "../../harness/go-between";
import { callOf, type Form, formsOf, inJson, is } from "./form";

/** Writes whose answer no source shows, and from which the provider needs nothing. */
const unshown =
  /^(PUT .*(\/(db_taps|groups|roles)\/\d+|\/svc_users\/[^/]+\/(add|remove)|\/accounts?\/)|POST .*\/disable_svc_user|DELETE .*)$/;
const types = ["DataStore", "Group", "GroupMembership", "Role", "EnabledUser", "Account", "WhitelistedIp"];

/** Which words mean a success is in test/fast/api/refusal-in-body.test.ts. */
const answers: readonly (readonly [status: number, text: string])[] = [
  [200, "null"],
  [200, "OK"],
  [204, ""],
  [202, '{"status":"accepted"}'],
];

const afterWrites: readonly Form[] = [
  ...answers.map(([status, text]) => ({
    title: `after a write: ${status} ${text}`,
    types,
    answers: (): Hook => (passing) => (is(unshown, passing) ? { status, text } : passing.text),
  })),
  {
    title: "after a group is deleted: as the manual prints it, without braces",
    types: ["Group"],
    answers: () => (passing) => (is(/^DELETE .*\/groups\//, passing) ? '"status":"success"' : passing.text),
  },
];

const newRole: Readonly<Record<string, (role: { id: number }) => unknown>> = {
  "in a list": (role) => ({ status: "success", roles: [role] }),
  "under role": (role) => ({ status: "success", role }),
  "without an envelope": (role) => role,
  "as a status only": () => ({ status: "done" }),
  "as an id only": ({ id }) => ({ id }),
};

/** The answer to a creation: a group's shows a status only, a role's the record. */
const afterCreate: readonly Form[] = [
  ...formsOf("a new group with the record", ["Group"], { "under group": "group", "under groups": "groups" }, (key) =>
    inJson(/^POST .*\/groups$/, () => ({ status: "done", [key]: { id: 255, name: "reviewers" } })),
  ),
  ...formsOf("a new role", ["Role"], newRole, (answer) =>
    inJson(/^POST .*v1\.2\/roles$/, (shown) => answer((shown as { roles: { id: number } }).roles)),
  ),
];

const notFound = { status: 404, text: '{"error":{"error_code":404,"error_message":"not found"}}' };

/** After a write, the next such read is answered as before it; what is new is not found then. */
function late(writes: RegExp, reads: RegExp): Hook {
  const before = new Map<string, { status: number; text: string }>();
  let left = 0;
  let isNew = false;
  return (passing) => {
    const { url, status, text } = passing;
    if (is(writes, passing)) {
      isNew = passing.method === "POST";
      left = 1;
    }
    if (!reads.test(callOf(passing))) return text;
    const known = before.get(url) ?? (isNew && /\/\d+$/.test(url) ? notFound : undefined);
    if (left-- > 0 && known) return known;
    before.set(url, { status, text });
    return text;
  };
}

const delays: readonly Form[] = [
  { title: "data stores", types: ["DataStore"], writes: /^(POST|PUT|DELETE) .*\/db_taps/, reads: /^GET .*\/db_taps\// },
  { title: "new groups", types: ["Group"], writes: /^POST .*\/groups$/, reads: /^GET .*\/groups(\/\d+)?$/ },
  { title: "users", types: ["EnabledUser"], writes: /^POST .*_svc_user$/, reads: /^GET .*\/get_users$/ },
].map(({ title, types: readers, writes, reads }) => ({
  title: `${title}, listed late`,
  types: readers,
  answers: () => late(writes, reads),
}));

export const writeForms: readonly Form[] = [...afterWrites, ...afterCreate, ...delays];
